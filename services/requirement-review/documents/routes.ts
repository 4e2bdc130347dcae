import { DOCUMENT_TYPES } from "../../domain/document/rules/accepted-documents.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findAnyDocument } from "../../domain/document/store/documents.ts";
import { documentFile } from "../../domain/document/rules/document.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { fileReply } from "../../platform/http/routing/file-reply.ts";
import { byOperator } from "../access/operator.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";

/** `GET /desk/v1/documents/{id}`: a document of any account, shown inline. */
export function documentRoutes({ bus, files }: DeskDeps): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/documents/:id", "View a document", {
      answers: { 200: { mediaTypes: DOCUMENT_TYPES } },
      produces: "*/*",
      handle: async (request) => {
        const { id } = request.params;
        const document = await findAnyDocument(bus.pool, id);
        await writeAudit(bus.pool, {
          ...byOperator(request, bus.clock.now()),
          action: "document.viewed",
          accountId: document.account_id,
          portingOrderId: document.order_id,
          after: { document_id: id, slug: document.slug },
        });
        return fileReply(await files.open(id), documentFile(document, "inline"));
      },
    }),
  ];
}
