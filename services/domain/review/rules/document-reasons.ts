/** Codes of what the desk finds wrong with a document itself, which no carrier gives. */
export const DOCUMENT_REASONS = [
  "document_illegible",
  "document_wrong",
  "document_incomplete",
  "document_unsigned",
  "signer_mismatch",
  "numbers_missing",
  "document_too_old",
] as const;

export type DocumentReason = (typeof DOCUMENT_REASONS)[number];
