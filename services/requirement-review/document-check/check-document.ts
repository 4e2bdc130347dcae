import { checkJpeg } from "./check-jpeg.ts";
import { checkPdf } from "./check-pdf.ts";
import { checkPng } from "./check-png.ts";
import type { CheckResult } from "./check-result.ts";
import { unreadable } from "./check-result.ts";
import { checkTiff } from "./check-tiff.ts";

const MAGIC: readonly {
  readonly starts: readonly number[];
  readonly check: (bytes: Buffer) => CheckResult | Promise<CheckResult>;
}[] = [
  { starts: [0x25, 0x50, 0x44, 0x46, 0x2d], check: checkPdf },
  { starts: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], check: checkPng },
  { starts: [0xff, 0xd8, 0xff], check: checkJpeg },
  { starts: [0x49, 0x49, 0x2a, 0x00], check: checkTiff },
  { starts: [0x4d, 0x4d, 0x00, 0x2a], check: checkTiff },
];

/** Whether a document opens, has pages and is not encrypted, by its content alone. Never throws for what it is given. */
export async function checkDocument(bytes: Buffer): Promise<CheckResult> {
  const known = MAGIC.find(({ starts }) => starts.every((byte, n) => bytes[n] === byte));
  if (known === undefined) return unreadable("The file is no PDF, PNG, JPEG or TIFF.");
  try {
    return await known.check(bytes);
  } catch {
    // Reading past the end of a Buffer, or a parser that gave up: both say that the file is broken.
    return unreadable("The file is damaged and does not open.");
  }
}
