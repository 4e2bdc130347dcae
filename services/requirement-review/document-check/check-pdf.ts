import { ParseSpeeds, PDFDocument } from "@cantoo/pdf-lib";
import { failed, PASSED, unreadable, type CheckResult } from "./check-result.ts";

const END = Buffer.from("%%EOF");
const OBJECT = /\d+\s+\d+\s+obj\b/;

/** Parses leniently, as viewers do, but requires the end: an upload that was cut off may lack anything. */
export async function checkPdf(bytes: Buffer): Promise<CheckResult> {
  const end = bytes.lastIndexOf(END);
  if (end < 0 || OBJECT.test(bytes.toString("latin1", end))) {
    return unreadable("The PDF is cut off: its end is missing.");
  }
  const pdf = await PDFDocument.load(bytes, {
    ignoreEncryption: true,
    parseSpeed: ParseSpeeds.Fastest,
    updateMetadata: false,
  });
  if (pdf.context.trailerInfo.Encrypt !== undefined) {
    return failed("document_encrypted", "The PDF is encrypted. Upload it without a password.");
  }
  return pdf.getPageCount() > 0 ? PASSED : failed("document_empty", "The PDF has no pages.");
}
