/** The values of an order that are looked for in the text of its documents. */
export const MATCHED = [
  "phone_number",
  "entity_name",
  "service_address",
  "account_number",
  "signer",
] as const;

export type Matched = (typeof MATCHED)[number];

/** The requirement whose value each is; the phone numbers are the order's. */
export const SLUG_OF = {
  entity_name: "entity_name",
  service_address: "service_address",
  account_number: "account_number",
  signer: "auth_person_name",
} as const satisfies Record<Exclude<Matched, "phone_number">, string>;

/** Where a value was found; it does not repeat the value, which may be sensitive. */
export interface FoundValue {
  readonly what: Matched;
  /** In E.164, of a phone number; else null. */
  readonly number: string | null;
  /** Null where the document has no text, or was not read whole. */
  readonly found: boolean | null;
  /** The first page that holds it, from 1. */
  readonly page: number | null;
}

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
