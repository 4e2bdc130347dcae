import type { DocumentType } from "../../domain/document/rules/accepted-documents.ts";
import { documentTypeOf } from "../../domain/document/rules/document-type.ts";
import { checkJpeg } from "./check-jpeg.ts";
import { checkPdf } from "./check-pdf.ts";
import { checkPng } from "./check-png.ts";
import { unreadable, type CheckResult } from "./check-result.ts";
import { checkTiff } from "./check-tiff.ts";
import { BudgetExceeded } from "./work-budget.ts";

const CHECKS: Readonly<
  Record<DocumentType, (bytes: Buffer) => CheckResult | Promise<CheckResult>>
> = {
  "application/pdf": checkPdf,
  "image/png": checkPng,
  "image/jpeg": checkJpeg,
  "image/tiff": checkTiff,
};

/** Whether a document opens, has pages and is not encrypted, by its content alone. Never throws, whatever the content. */
export async function checkDocument(bytes: Buffer): Promise<CheckResult> {
  const type = documentTypeOf(bytes);
  if (type === null) return unreadable("The file is not a PDF, PNG, JPEG or TIFF.");
  try {
    return await CHECKS[type](bytes);
  } catch (error) {
    if (error instanceof BudgetExceeded) {
      return unreadable(
        "The file takes too much work to open. Save it again, or upload a scan of it.",
      );
    }
    // A read past the end of the Buffer, or a parser that gave up: either way the file is damaged.
    return unreadable("The file is damaged and cannot be opened.");
  }
}
