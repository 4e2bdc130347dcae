import type { DocumentType } from "./accepted-documents.ts";

/** A type is told at the first byte: a signature further in, or behind a mark, is another file's. */
const SIGNATURES: readonly (readonly [Buffer, DocumentType])[] = [
  [Buffer.from("%PDF-", "latin1"), "application/pdf"],
  [Buffer.from("89504e470d0a1a0a", "hex"), "image/png"],
  [Buffer.from("ffd8ff", "hex"), "image/jpeg"],
  [Buffer.from("49492a00", "hex"), "image/tiff"],
  [Buffer.from("4d4d002a", "hex"), "image/tiff"],
];

/** What a file is by its first bytes, whatever it is called; null where it is no document that is accepted. */
export function documentTypeOf(head: Buffer): DocumentType | null {
  const known = SIGNATURES.find(([start]) => head.subarray(0, start.length).equals(start));
  return known === undefined ? null : known[1];
}
