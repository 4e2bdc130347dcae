import { useState } from "react";
import type { Queue, QueuedCase } from "../reviews.ts";

export interface SteadyRow extends QueuedCase {
  /** It has left the list since the list was shown. */
  readonly isGone: boolean;
}

interface SteadyRows {
  readonly rows: readonly SteadyRow[];
  readonly newCount: number;
  readonly goneCount: number;
}

/** The rows that are shown, in their places with their present facts; what is new waits to be asked for. */
export function steadyRows(
  shown: readonly QueuedCase[],
  present: readonly QueuedCase[],
): SteadyRows {
  const now = new Map(present.map((one) => [one.order_id, one]));
  const rows = shown.map((one) => {
    const current = now.get(one.order_id);
    return { ...(current ?? one), isGone: current === undefined };
  });
  const known = new Set(shown.map(({ order_id: id }) => id));
  return {
    rows,
    newCount: present.filter(({ order_id: id }) => !known.has(id)).length,
    goneCount: rows.filter(({ isGone }) => isGone).length,
  };
}

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
