import { ParseSpeeds, PDFDocument } from "@cantoo/pdf-lib";
import { failed, PASSED, truncated, type CheckResult } from "./check-result.ts";
import { inflatePdfObjects } from "./inflate-pdf-objects.ts";
import { findPdfContentFault } from "./pdf-content-faults.ts";

const END = Buffer.from("%%EOF");
const OBJECT = /\d+\s+\d+\s+obj\b/;

/** Parses leniently, as viewers do, but requires the end: an upload that was cut off may lack anything. */
export async function checkPdf(bytes: Buffer): Promise<CheckResult> {
  const end = bytes.lastIndexOf(END);
  if (end < 0 || OBJECT.test(bytes.toString("latin1", end))) {
    return truncated("The PDF is cut off: its end is missing.");
  }
  await inflatePdfObjects(bytes);
  const pdf = await PDFDocument.load(bytes, {
    ignoreEncryption: true,
    parseSpeed: ParseSpeeds.Fastest,
    updateMetadata: false,
  });
  if (pdf.context.trailerInfo.Encrypt !== undefined) {
    return failed("document_encrypted", "The PDF is encrypted. Upload it without a password.");
  }
  if (pdf.getPageCount() === 0) return failed("document_empty", "The PDF has no pages.");
  return findPdfContentFault(pdf.context) ?? PASSED;
}
