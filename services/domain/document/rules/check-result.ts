/** Why a document cannot be used (docs/adr/0028). */
export type CheckFault =
  | "document_encrypted"
  | "document_empty"
  | "document_unreadable"
  | "document_truncated"
  | "document_too_complex"
  | "document_too_many_pixels"
  | "document_has_javascript"
  | "document_has_launch_action"
  | "document_has_dynamic_form"
  | "document_has_attachments"
  | "document_infected"
  | "unsupported_document_type";

/** The result of a document's check; `detail` is shown to the customer. */
export type CheckResult =
  | { readonly passed: true }
  | { readonly passed: false; readonly code: CheckFault; readonly detail: string };

export const PASSED: CheckResult = { passed: true };

export function failed(code: CheckFault, detail: string): CheckResult {
  return { passed: false, code, detail };
}

export function unreadable(detail: string): CheckResult {
  return failed("document_unreadable", detail);
}

/** The file ends before its content does. */
export function truncated(detail: string): CheckResult {
  return failed("document_truncated", `${detail} Upload it again, whole.`);
}

/** Opening the file takes more work than any real document does: `why` is a whole sentence. */
export function tooComplex(why: string): CheckResult {
  return failed("document_too_complex", `${why} Save it again, or upload a scan of it.`);
}
