import type { DocumentType } from "./accepted-documents.ts";

/** A signature must start at the first byte; one further in, or after a byte order mark, is not valid. */
const SIGNATURES: readonly (readonly [Buffer, DocumentType])[] = [
  [Buffer.from("%PDF-", "latin1"), "application/pdf"],
  [Buffer.from("89504e470d0a1a0a", "hex"), "image/png"],
  [Buffer.from("ffd8ff", "hex"), "image/jpeg"],
  [Buffer.from("49492a00", "hex"), "image/tiff"],
  [Buffer.from("4d4d002a", "hex"), "image/tiff"],
];

/** The type of a file by its first bytes, whatever its name; null if it is not an accepted type. */
export function documentTypeOf(head: Buffer): DocumentType | null {
  const known = SIGNATURES.find(([start]) => head.subarray(0, start.length).equals(start));
  return known === undefined ? null : known[1];
}
