import { z } from "zod";
import {
  DOCUMENT_TYPES,
  documentFile,
  type Document,
} from "../../domain/document/rules/document.ts";
import { findAnyDocument, findDocument } from "../../domain/document/store/documents.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { notFound } from "../../platform/http/body/check-request.ts";
import { fileReply } from "../../platform/http/routing/file-reply.ts";
import type { AccountPrincipal, CustomerRoute } from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { routesFor } from "../../platform/http/routing/route.ts";

/** `GET /v2/documents/{id}`: a document of the key's account, or the document of a signed link. */
export function documentRoutes({ bus: { clock }, files, links }: ApiDeps): CustomerRoute[] {
  const { GET } = routesFor<AccountPrincipal, "link">("link");
  return [
    GET("/v2/documents/:id", "Download a document", {
      description:
        "With a key of the account, or by a link from the service, which carries `expires` and `signature` and needs none. A link that has expired is 401 with `link_expired` in `errors`.",
      answers: { 200: { mediaTypes: DOCUMENT_TYPES } },
      query: z.strictObject({
        expires: z
          .string()
          .optional()
          .meta({ description: "When the link expires, as in the link", examples: ["1772460000"] }),
        signature: z.string().optional().describe("The signature of the link, as in the link"),
      }),
      find: shownDocument,
      produces: "*/*",
      opens: ({ params: { id }, query: { expires = "", signature = "" } }) =>
        links.stateOf(id, { expires, signature }, clock.now()),
      handle: async (request) => {
        const document = await shownDocument(request);
        return fileReply(await files.open(document.id), documentFile(document, "attachment"));
      },
    }),
  ];
}

interface DocumentPath {
  readonly db: Queryable;
  /** Null for the holder of a link. */
  readonly principal: AccountPrincipal | null;
  readonly params: { readonly id: string };
}

/** The document of a path, as far as the caller may see it: an order's portal link shows that order's alone. */
async function shownDocument({ db, principal, params: { id } }: DocumentPath): Promise<Document> {
  const document = await (principal === null
    ? findAnyDocument(db, id)
    : findDocument(db, principal.accountId, id));
  const only = principal?.portal?.orderId ?? document.order_id;
  if (document.order_id !== only) throw notFound();
  return document;
}
