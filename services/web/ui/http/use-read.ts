import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { request, type Page } from "./request.ts";

/** How to read a resource; its key is `[subject, path]`, so that a subject is made stale as a whole. */
export function readOf<Answer>(subject: string, path: string) {
  return queryOptions({
    queryKey: [subject, path],
    queryFn: ({ signal }) => request<Answer>("GET", path, { signal }),
  });
}

/** How to read a page of a list; the former page stays until the next has come. */
export function listOf<Row>(subject: string, path: string) {
  return { ...readOf<Page<Row>>(subject, path), placeholderData: keepPreviousData };
}

export function useRead<Answer>(subject: string, path: string) {
  return useQuery(readOf<Answer>(subject, path));
}

export function useList<Row>(subject: string, path: string) {
  return useQuery(listOf<Row>(subject, path));
}
