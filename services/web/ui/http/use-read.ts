import { queryOptions, useQuery } from "@tanstack/react-query";
import { request, type Page } from "./request.ts";

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
