import {
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryClient,
  type QueryFilters,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useEffect } from "react";
import type { Total } from "../list-rules.ts";
import { Problem, request, withQuery, type Page } from "./request.ts";

/** How to read a resource; its key is `[subject, path]`, so that a subject is made stale as a whole. */
export function readOf<Answer>(subject: string, path: string) {
  return queryOptions({
    queryKey: [subject, path],
    queryFn: ({ signal }) => request<Answer>("GET", path, { signal }),
  });
}

/**
 * How to read a page of a list. The former page stays until the next has come, unless it has no rows: that may not be
 * so of what is asked for now.
 */
export function listOf<Row>(subject: string, path: string) {
  return {
    ...readOf<Page<Row>>(subject, path),
    placeholderData: (former: Page<Row> | undefined) =>
      former?.data.length === 0 ? undefined : former,
  };
}

export function useRead<Answer>(subject: string, path: string) {
  return useQuery(readOf<Answer>(subject, path));
}

export function useList<Row>(subject: string, path: string) {
  return useQuery(listOf<Row>(subject, path));
}

/** What a list is asked for, beside the size of its page. */
type ListQuery = Parameters<typeof withQuery>[1];

export interface CountedList<Row> {
  readonly page: UseQueryResult<Page<Row>>;
  readonly total: UseQueryResult<{ readonly total: Total }>;
  /** Where the whole list is to be had as a file. */
  readonly fileAt: (format: "csv" | "ndjson") => string;
}

const PAGE_SIZE = 50;

/** A page of a list, and how many there are on all of them; the count follows by itself, and is kept from page to page. */
export function useCountedList<Row>(
  subject: string,
  path: string,
  query: ListQuery,
): CountedList<Row> {
  const whole = { ...query, starting_after: "" };
  const counted = withQuery(path, { ...whole, order: "", limit: 1, total: true });
  return {
    page: useList<Row>(subject, withQuery(path, { ...query, limit: PAGE_SIZE })),
    total: useRead<{ readonly total: Total }>(subject, counted),
    fileAt: (format) => withQuery(`${path}/export`, { ...whole, format }),
  };
}

/**
 * Fetches again what is on the page. What is being fetched lands first and is fetched once more after that, so that
 * hints that come faster than answers never keep a list from being shown.
 */
export async function fetchAgain(client: QueryClient, filters: QueryFilters): Promise<void> {
  const underway = client.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" });
  await client.invalidateQueries(filters, { cancelRefetch: false });
  await Promise.all(
    underway.map(({ queryKey }) =>
      client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false }),
    ),
  );
}

/** What a page does where any request is refused with 401; called again while the refusal is shown. */
export type OnRefused = (client: QueryClient, refusal: Problem) => void;

/** `onRefused` is the same function at every rendering. */
export function useRefusals(onRefused: OnRefused): void {
  const client = useQueryClient();
  useEffect(() => {
    const check = (error: unknown): void => {
      if (error instanceof Problem && error.status === 401) onRefused(client, error);
    };
    const stops = [
      client.getQueryCache().subscribe(({ query }) => check(query.state.error)),
      client.getMutationCache().subscribe(({ mutation }) => check(mutation?.state.error)),
    ];
    return () => stops.forEach((stop) => stop());
  }, [client, onRefused]);
}
