/** The accepted media types of documents, detected from their content. */
export const DOCUMENT_TYPES = ["application/pdf", "image/png", "image/jpeg", "image/tiff"] as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024;
