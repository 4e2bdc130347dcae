import type { FieldType } from "../../countries/fields/requirement-definition.ts";

export type RequirementStatus =
  | "requirement-info-pending"
  | "requirement-info-under-review"
  | "requirement-info-exception"
  | "approved";

/** How far the automatic check of a document has come; `none` for what is not a document, or has no value. */
export type CheckState = "none" | "checking" | "passed" | "failed";

/** A requirement of an order, without what is secret in its value: what the order's rules look at. */
export interface OrderRequirement {
  readonly slug: string;
  readonly field_type: FieldType;
  readonly mandatory: boolean;
  readonly status: RequirementStatus;
  readonly exception_reason: string | null;
  readonly has_value: boolean;
  /** The value as it may be read back: masked where it is sensitive; of a document, its id. */
  readonly shown_value: string | null;
  readonly document_id: string | null;
  readonly document_date: Date | null;
  /** Largest age of the document on the day of submission, in days; null where it does not matter. */
  readonly max_age_days: number | null;
  readonly check_state: CheckState;
  /** Why the check failed: a code for programs, words for people. */
  readonly check_code: string | null;
  readonly check_detail: string | null;
  /** Rewritten since the order was last submitted. */
  readonly changed: boolean;
}

/** What a customer puts into a field. The text of a sensitive one stays out of the order's rules. */
export type RequirementContent =
  | { readonly kind: "text"; readonly shown: string }
  | {
      readonly kind: "document";
      readonly document_id: string;
      readonly document_date: Date;
      /** A document that the service made itself has passed already. */
      readonly check: "checking" | "passed";
    }
  | { readonly kind: "empty" };
