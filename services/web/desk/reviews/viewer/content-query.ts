import { queryOptions } from "@tanstack/react-query";
import { arrived, send, withQuery } from "../../../ui/http/request.ts";

interface DocumentPage {
  readonly id: string;
  /** The page of a file that the service makes into images; null for the file itself. */
  readonly page: number | null;
}

const KEPT_MS = 5 * 60_000;

/** A document's bytes, which never change; each fetch is recorded as a look at it. */
export function contentQuery({ id, page }: DocumentPage) {
  return queryOptions({
    queryKey: ["documents", id, page],
    queryFn: async ({ signal }) => {
      const query = page === null ? {} : { as: "png", page };
      const path = withQuery(`/desk/v1/documents/${id}`, query);
      const response = await send("GET", path, { signal, headers: { Accept: "*/*" } });
      return arrived(response.arrayBuffer(), "GET", signal);
    },
    staleTime: "static",
    gcTime: KEPT_MS,
  });
}
