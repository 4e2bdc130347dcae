/** Images begin with their signature at the first byte. */
const SIGNATURES: readonly (readonly [Buffer, DocumentType])[] = [
  [Buffer.from("89504e470d0a1a0a", "hex"), "image/png"],
  [Buffer.from("ffd8ff", "hex"), "image/jpeg"],
  [Buffer.from("49492a00", "hex"), "image/tiff"],
  [Buffer.from("4d4d002a", "hex"), "image/tiff"],
];

/** Readers look for it in the first 1,024 bytes. Text of another kind before it could make the file something else. */
const PDF_START = /^(?:\u00ef\u00bb\u00bf)?[\0\t\n\f\r ]*%PDF-/;
const PDF_START_WITHIN = 1_024;

/** The type of a file by its first bytes, whatever its name; null if it is not an accepted type. */
export function documentTypeOf(head: Buffer): DocumentType | null {
  if (PDF_START.test(head.toString("latin1", 0, PDF_START_WITHIN))) return "application/pdf";
  const known = SIGNATURES.find(([start]) => head.subarray(0, start.length).equals(start));
  return known === undefined ? null : known[1];
}

/** The accepted media types of documents, detected from their content. */
export const DOCUMENT_TYPES = ["application/pdf", "image/png", "image/jpeg", "image/tiff"] as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024;

/** A file of an order or an account; its content is in the file store under the same id, and neither ever changes. */
export interface Document {
  readonly id: string;
  readonly account_id: string;
  /** Null for an upload, of which orders get copies. */
  readonly order_id: string | null;
  /** The requirement that it was sent for; `UPLOADED` for an upload. */
  readonly slug: string;
  readonly content_type: DocumentType;
  readonly size_bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly created_at: Date;
}

export const UPLOADED = "document";

/** A document that was sent for no order yet. */
export interface Upload extends Document {
  readonly document_date: Date;
}

/** A document, and what each page states of a letter that we printed; null of a file that was sent. */
export interface StoredDocument {
  readonly document: Document & { readonly document_date?: Date };
  readonly pageTexts: readonly string[] | null;
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
