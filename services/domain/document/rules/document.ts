import type { DocumentType } from "./accepted-documents.ts";

/** A file of an order; its content is in the file store under the same id, and neither ever changes. */
export interface Document {
  readonly id: string;
  readonly account_id: string;
  readonly order_id: string;
  /** The requirement that it was sent for. */
  readonly slug: string;
  readonly content_type: DocumentType;
  readonly size_bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly created_at: Date;
}

const EXTENSIONS = {
  "application/pdf": "pdf",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/tiff": "tif",
} as const satisfies Record<DocumentType, string>;

/** How a document is served for download; its original file name is not stored. */
export function documentFile(document: Document, disposition: "attachment" | "inline") {
  const { id, slug, content_type: contentType, size_bytes: size, sha256 } = document;
  return {
    contentType,
    size,
    sha256,
    name: `${slug}-${id}.${EXTENSIONS[contentType]}`,
    disposition,
  };
}

/** A document as the API and the desk list it. */
export function presentDocument(document: Document): Record<string, unknown> {
  const { id, slug, content_type, size_bytes, sha256, created_at } = document;
  return { id, slug, content_type, size_bytes, sha256, created_at };
}
