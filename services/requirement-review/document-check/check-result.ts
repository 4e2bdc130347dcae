export type CheckFault = "document_encrypted" | "document_empty" | "document_unreadable";

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
