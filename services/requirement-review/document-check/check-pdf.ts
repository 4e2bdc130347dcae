import { ParseSpeeds, PDFDocument } from "@cantoo/pdf-lib";
import { inflatePdfObjects } from "./inflate-pdf-objects.ts";
import { WorkBudget } from "./work-budget.ts";
import { failed, PASSED, unreadable, type CheckResult } from "./check-result.ts";

const END = Buffer.from("%%EOF");
const OBJECT = /\d+\s+\d+\s+obj\b/;

/** Of object and cross-reference streams together: those of a document of 20 MiB are a few MiB. */
const MOST_INFLATED = 64 * 1024 * 1024;

/** Parses leniently, as viewers do, but requires the end: an upload that was cut off may lack anything. */
export async function checkPdf(bytes: Buffer): Promise<CheckResult> {
  const end = bytes.lastIndexOf(END);
  if (end < 0 || OBJECT.test(bytes.toString("latin1", end))) {
    return unreadable("The PDF is cut off: its end is missing.");
  }
  inflatePdfObjects(bytes, new WorkBudget(MOST_INFLATED));
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
