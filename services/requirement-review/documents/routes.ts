import { DOCUMENT_TYPES } from "../../domain/document/rules/accepted-documents.ts";
import { findAnyDocument } from "../../domain/document/store/documents.ts";
import { documentFile } from "../../domain/document/rules/document.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { fileReply } from "../../platform/http/routing/file-reply.ts";
import { GET, type DeskRoute } from "../access/desk-routes.ts";

/** `GET /desk/v1/documents/{id}`: a document of any account, shown inline. */
export function documentRoutes({ bus, files }: DeskDeps): DeskRoute[] {
  return [
    GET("/desk/v1/documents/:id", "View a document", {
      answers: { 200: { mediaTypes: DOCUMENT_TYPES } },
      produces: "*/*",
      handle: async ({ params: { id } }) => {
        const document = await findAnyDocument(bus.pool, id);
        return fileReply(await files.open(id), documentFile(document, "inline"));
      },
    }),
  ];
}
