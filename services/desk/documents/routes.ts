import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import {
  DOCUMENT_TYPES,
  documentFile,
  type Document,
} from "../../domain/document/rules/document.ts";
import { findAnyDocument } from "../../domain/document/store/documents.ts";
import { AppError } from "../../platform/errors.ts";
import { fileReply } from "../../platform/http/routing/file-reply.ts";
import type { Reply } from "../../platform/http/routing/reply.ts";
import { byOperator, viewer, type DeskPath, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { notDrawable, type DrawnPage } from "./page-drawer.ts";

/** No document of 20 MiB has more. */
const MOST_PAGES = 10_000;

const page = z
  .string()
  .regex(/^\d{1,9}$/, "It must be a whole number.")
  .transform(Number)
  .pipe(z.int().min(1).max(MOST_PAGES))
  .optional()
  .meta({
    type: "integer",
    minimum: 1,
    maximum: MOST_PAGES,
    description: "With `as=png`: the page, from 1, which is the default",
  });

/** Parameters of `GET /desk/v1/documents/{id}`. */
const documentQuery = z.strictObject({
  as: z.enum(["png"]).optional().meta({
    description: "`png`: one page as a PNG image, for a TIFF, which browsers do not show",
  }),
  page,
});

/** `GET /desk/v1/documents/{id}`: a document of any account, shown inline. */
export function documentRoutes(deps: DeskDeps): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/documents/:id", "View a document", {
      description:
        "The document as it was uploaded; with `as=png` one page of a TIFF as a PNG, whose header `Document-Pages` states how many pages there are. That the operator has seen it is recorded.",
      answers: { 200: { mediaTypes: DOCUMENT_TYPES } },
      refuses: ["rate_limited"],
      find: ({ db, params }) => findAnyDocument(db, params.id),
      query: documentQuery,
      produces: "*/*",
      handle: async (request) => {
        const { db, query, params } = request;
        if (query.page !== undefined && query.as === undefined) throw pageAlone();
        const document = await findAnyDocument(db, params.id);
        const page = query.as === undefined ? null : (query.page ?? 1);
        if (page !== null) refuseShown(document);
        await auditLook(deps, request, { document, page });
        if (page === null) {
          return fileReply(await deps.files.open(document.id), documentFile(document, "inline"));
        }
        const { operatorId } = request.principal;
        const drawn = await deps.pages.draw({ documentId: document.id, page, operatorId });
        return pngReply(drawn, `${document.slug}-${document.id}-${page}.png`);
      },
    }),
  ];
}

function pageAlone(): AppError {
  const detail = "It is for as=png only.";
  return new AppError("invalid_parameter", detail, {
    faults: [{ parameter: "page", code: "conflict", detail }],
  });
}

/** @throws `invalid_parameter` where a browser shows the document as it is */
function refuseShown({ content_type: type }: Document): void {
  if (type !== "image/tiff") {
    throw notDrawable(`Browsers show the document as it is, ${type}: leave out the parameter.`);
  }
}

interface Look {
  readonly document: Document;
  /** Null for the whole document. */
  readonly page: number | null;
}

function auditLook({ bus }: DeskDeps, request: DeskPath, { document, page }: Look): Promise<void> {
  const { id, slug, account_id: accountId, order_id: portingOrderId } = document;
  return writeAudit(request.db, {
    ...byOperator(request, bus.clock.now()),
    action: "document.viewed",
    accountId,
    portingOrderId,
    after: { document_id: id, slug, ...(page === null ? {} : { page }) },
  });
}

/** A drawn page, as protected as the document itself. */
async function pngReply({ png, pages }: DrawnPage, name: string): Promise<Reply> {
  const reply = await fileReply(
    { size: png.length, content: Readable.from([png]) },
    {
      contentType: "image/png",
      size: png.length,
      sha256: createHash("sha256").update(png).digest("hex"),
      name,
      disposition: "inline",
    },
  );
  return { ...reply, headers: { ...reply.headers, "Document-Pages": String(pages) } };
}
