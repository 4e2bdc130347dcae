import type { DocumentType } from "./accepted-documents.ts";

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
