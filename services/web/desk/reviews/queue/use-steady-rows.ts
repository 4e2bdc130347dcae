import { useState } from "react";
import type { Queue, QueuedCase } from "../types.ts";
import { steadyRows, type SteadyRows } from "./steady-rows.ts";

interface Shown {
  readonly list: string;
  readonly rows: readonly QueuedCase[];
}

interface Fetched {
  /** Names the filters of `queue`. */
  readonly list: string;
  /** Absent until the list's own answer has come. */
  readonly queue: Queue | undefined;
}

/** Rows that never jump while one works: the list as it was first shown, until `refresh` or another list. */
export function useSteadyRows({
  list,
  queue,
}: Fetched): SteadyRows & { readonly refresh: () => void } {
  const [kept, setKept] = useState<Shown | null>(null);
  const refresh = (): void => {
    if (queue !== undefined) setKept({ list, rows: queue.data });
  };
  const isOther = queue !== undefined && kept?.list !== list;
  if (isOther) setKept({ list, rows: queue.data });
  const rows = isOther ? queue.data : (kept?.rows ?? []);
  return { ...steadyRows(rows, queue?.data ?? rows), refresh };
}
