import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { aheadQuery } from "../queries.ts";
import type { SteadyRow } from "./steady-rows.ts";

/** Rests this long on a row before its case is fetched, so that a held key fetches nothing. */
const REST_MS = 150;

/** Fetches the cases that are likely to be opened next, masked, and the case page's code. */
export function usePrefetchedCases(rows: readonly (SteadyRow | undefined)[]): void {
  const client = useQueryClient();
  const ids = rows.flatMap((row) => (row === undefined || row.isGone ? [] : [row.order_id]));
  const key = ids.join(" ");
  useEffect(() => {
    if (key === "") return;
    const timer = setTimeout(() => {
      // What fails here is asked for again, and reported, when the case is opened.
      import("../case/case-page.tsx").catch(() => undefined);
      for (const id of key.split(" ")) client.query(aheadQuery(id)).catch(() => undefined);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [client, key]);
}
