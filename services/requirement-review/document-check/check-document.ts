import type { DocumentType } from "../../domain/document/rules/accepted-documents.ts";
import { documentTypeOf } from "../../domain/document/rules/document-type.ts";
import { errorCodeOf } from "../../platform/error-code.ts";
import { checkJpeg } from "./check-jpeg.ts";
import { checkPdf } from "./check-pdf.ts";
import { checkPng } from "./check-png.ts";
import {
  failed,
  tooComplex,
  truncated,
  unreadable,
  type CheckFault,
  type CheckResult,
} from "../../domain/document/rules/check-result.ts";
import { checkTiff } from "../../domain/document/rules/check-tiff.ts";
import { BudgetExceeded } from "../../domain/document/rules/work-budget.ts";

const CHECKS: Readonly<
  Record<DocumentType, (bytes: Buffer) => CheckResult | Promise<CheckResult>>
> = {
  "application/pdf": checkPdf,
  "image/png": checkPng,
  "image/jpeg": checkJpeg,
  "image/tiff": checkTiff,
};

/** What a Buffer throws that is read past its end. */
const READ_PAST_END = new Set(["ERR_OUT_OF_RANGE", "ERR_BUFFER_OUT_OF_BOUNDS"]);

const WRONG_KIND: CheckFault = "unsupported_document_type";

/**
 * Whether a document opens, has pages, asks for no password and does nothing by itself, by its content alone. Never throws,
 * whatever the content.
 */
export async function checkDocument(bytes: Buffer): Promise<CheckResult> {
  if (bytes.length === 0) return failed("document_empty", "The file is empty: it has 0 bytes.");
  const type = documentTypeOf(bytes);
  if (type === null) return failed(WRONG_KIND, "The file is not a PDF, PNG, JPEG or TIFF.");
  try {
    return await CHECKS[type](bytes);
  } catch (error) {
    if (error instanceof BudgetExceeded) {
      return tooComplex("The file takes too much work to open.");
    }
    if (READ_PAST_END.has(errorCodeOf(error))) {
      return truncated("The file is cut off or damaged.");
    }
    return unreadable("The file is damaged and cannot be opened.");
  }
}
