import { z } from "zod";
import {
  DOCUMENT_TYPES,
  documentFile,
  MAX_DOCUMENT_BYTES,
  type Document,
} from "../../domain/document/rules/document.ts";
import { findAnyDocument, findDocument } from "../../domain/document/store/documents.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { hashText, idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { created } from "../../platform/http/routing/reply.ts";
import { documentForm, storeUpload } from "../requirements/write-requirement.ts";
import { notFound } from "../../platform/http/body/check-request.ts";
import { fileReply } from "../../platform/http/routing/file-reply.ts";
import { POST, type AccountPrincipal, type CustomerRoute } from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { routesFor } from "../../platform/http/routing/route.ts";

const uploadAnswer = z
  .object({
    id: idText("The id by which orders are given it"),
    content_type: z.enum(DOCUMENT_TYPES).describe("By its content"),
    size_bytes: z.int().meta({ description: "Its size", examples: [48_213] }),
    sha256: hashText("SHA-256 of the file, in hex"),
    document_date: timeText("The date of the document, as sent"),
    created_at: timeText("When it was uploaded"),
  })
  .meta({ id: "UploadedDocument", description: "A document for any order of the account" });

/** Upload a document for any order, and download a document of the key's account or of a signed link. */
export function documentRoutes(deps: ApiDeps): CustomerRoute[] {
  return [uploadRoute(deps), downloadRoute(deps)];
}

function uploadRoute(deps: ApiDeps): CustomerRoute {
  const { clock } = deps.bus;
  return POST("/v2/documents", "Upload a document for any order of the account", {
    operationId: "uploadDocument",
    description:
      "Its id is then a value in the `requirements` of as many orders as you like, each of which gets a copy of its own. One that no order has used for as long as a draft may stay untouched (30 days) is removed.",
    answers: { 201: uploadAnswer },
    refuses: ["quota_exceeded"],
    form: { fields: documentForm(clock), maxFileBytes: MAX_DOCUMENT_BYTES },
    handle: async ({ db, principal, body }) => {
      const { file, document_date: sent } = body;
      const upload = await storeUpload(deps, {
        ...{ db, accountId: principal.accountId },
        ...{ file, document_date: sent },
      });
      const { id, content_type, size_bytes, sha256, document_date, created_at } = upload;
      const answer = { id, content_type, size_bytes, sha256, document_date, created_at };
      return created(answer, `/v2/documents/${id}`);
    },
  });
}

/** `GET /v2/documents/{id}`: a document of the key's account, or the document of a signed link. */
function downloadRoute({ bus: { clock }, files, links }: ApiDeps): CustomerRoute {
  const { GET } = routesFor<AccountPrincipal, "link">("link");
  return GET("/v2/documents/:id", "Download a document", {
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
  });
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
