import { queryOptions } from "@tanstack/react-query";
import { arrived, send, withQuery } from "../../../ui/http/request.ts";

interface DocumentPage {
  readonly id: string;
  /** The page of a file that the service makes into images; null for the file itself. */
  readonly page: number | null;
}

const KEPT_MS = 5 * 60_000;

interface DocumentContent {
  readonly bytes: ArrayBuffer;
  /** How many pages the file has, where the service makes them into images. */
  readonly pages: number;
}

/** A document's content, which never changes; each fetch is recorded as a look at it. */
export function contentQuery({ id, page }: DocumentPage) {
  return queryOptions({
    queryKey: ["documents", id, page],
    queryFn: async ({ signal }): Promise<DocumentContent> => {
      const query = page === null ? {} : { as: "png", page };
      const path = withQuery(`/desk/v1/documents/${id}`, query);
      const response = await send("GET", path, { signal, headers: { Accept: "*/*" } });
      const pages = Number(response.headers.get("Document-Pages") ?? 1);
      return { bytes: await arrived(response.arrayBuffer(), "GET", signal), pages };
    },
    staleTime: "static",
    gcTime: KEPT_MS,
  });
}
