import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { request, type Page } from "./request.ts";

/** Reads a resource; its query's key is `[subject, path]`, so that a subject is made stale as a whole. */
export function useRead<Answer>(subject: string, path: string) {
  return useQuery({
    queryKey: [subject, path],
    queryFn: ({ signal }) => request<Answer>("GET", path, { signal }),
  });
}

/** Reads a page of a list; the former page stays until the next has come. */
export function useList<Row>(subject: string, path: string) {
  return useQuery({
    queryKey: [subject, path],
    queryFn: ({ signal }) => request<Page<Row>>("GET", path, { signal }),
    placeholderData: keepPreviousData,
  });
}
