import { ParseSpeeds, PDFDocument, PDFWriter } from "@cantoo/pdf-lib";
import {
  failed,
  PASSED,
  truncated,
  type CheckResult,
} from "../../domain/document/rules/check-result.ts";
import { inflatePdfObjects } from "./inflate-pdf-objects.ts";
import { findPdfContentFault } from "./pdf-content-faults.ts";

const END = Buffer.from("%%EOF");
const LENIENT = {
  ignoreEncryption: true,
  parseSpeed: ParseSpeeds.Fastest,
  updateMetadata: false,
} as const;
const OBJECTS_AT_ONCE = 10_000;
const NEEDS_PASSWORD = "The PDF asks for a password. Upload a copy that opens without a password.";
const OBJECT = /\d+\s+\d+\s+obj\b/;

/** Parses leniently, as viewers do, but requires the end: an upload that was cut off may lack anything. */
export async function checkPdf(bytes: Buffer): Promise<CheckResult> {
  const end = bytes.lastIndexOf(END);
  if (end < 0 || OBJECT.test(bytes.toString("latin1", end))) {
    return truncated("The PDF is cut off: its end is missing.");
  }
  await inflatePdfObjects(bytes);
  const pdf = await PDFDocument.load(bytes, LENIENT);
  return pdf.context.trailerInfo.Encrypt === undefined ? checkPages(pdf) : checkEncrypted(bytes);
}

/** One that only forbids printing or editing is encrypted under the empty password, and opens everywhere. */
async function checkEncrypted(bytes: Buffer): Promise<CheckResult> {
  const opened = await PDFDocument.load(bytes, { ...LENIENT, password: "" }).catch(() => null);
  if (opened === null) return failed("document_encrypted", NEEDS_PASSWORD);
  // What its streams grow to shows only now.
  const plain = await PDFWriter.forContext(opened.context, OBJECTS_AT_ONCE).serializeToBuffer();
  await inflatePdfObjects(Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength));
  return checkPages(opened);
}

function checkPages(pdf: PDFDocument): CheckResult {
  if (pdf.getPageCount() === 0) return failed("document_empty", "The PDF has no pages.");
  return findPdfContentFault(pdf.context) ?? PASSED;
}
