import type {
  FieldType,
  Scope,
  Sensitivity,
} from "../../countries/fields/requirement-definition.ts";

const SHOWN = 4;
/** Always the same length, so that the value's length is not revealed. */
const MASK = "****";

/** The value as it can be read back: whole, only its last 4 characters if it is longer, or fully masked. */
export function maskValue(value: string, sensitivity: Sensitivity): string {
  switch (sensitivity) {
    case "no":
      return value;
    case "masked":
      return value.length > SHOWN ? MASK + value.slice(-SHOWN) : MASK;
    case "hidden":
      return MASK;
  }
}

type RequirementStatus =
  | "requirement-info-pending"
  | "requirement-info-under-review"
  | "requirement-info-exception"
  | "approved";

/** The state of a document's automatic check; `none` if it is not a document or has no value. */
export type CheckState = "none" | "checking" | "passed" | "failed";

/** The value of one number, where each number of an order has its own. */
export interface NumberValue {
  readonly phone_number: string;
  readonly status: RequirementStatus;
  readonly exception_reason: string | null;
  /** As it can be read back: masked if it is sensitive; null if there is none yet. */
  readonly shown_value: string | null;
}

/** A requirement of an order for the order's rules, without the secret parts of its value. */
export interface OrderRequirement {
  readonly slug: string;
  readonly scope: Scope;
  /** Of each number of the order, where each has its own; empty otherwise, and in lists for the desk. */
  readonly values: readonly NumberValue[];
  readonly field_type: FieldType;
  /** Now: one that another's value makes unnecessary is not. */
  readonly mandatory: boolean;
  /** The slug of that other; null for most. */
  readonly unless: string | null;
  readonly status: RequirementStatus;
  readonly exception_reason: string | null;
  readonly has_value: boolean;
  /** The value as it can be read back: masked if it is sensitive; for a document, its id. */
  readonly shown_value: string | null;
  readonly document_id: string | null;
  readonly document_date: Date | null;
  /** Maximum age of the document when it arrives and at the first submission, in days; null for no limit. */
  readonly max_age_days: number | null;
  readonly check_state: CheckState;
  /** Why the check failed: a code for programs, and a text for people. */
  readonly check_code: string | null;
  readonly check_detail: string | null;
  /** Changed since the last case was decided. */
  readonly changed: boolean;
}

/** A customer's new content of a requirement; sensitive text never reaches the order's rules. */
export type RequirementContent =
  | { readonly kind: "text"; readonly shown: string }
  | {
      readonly kind: "document";
      readonly document_id: string;
      readonly document_date: Date;
      /** Documents that the service rendered itself have already passed. */
      readonly check: "checking" | "passed";
    }
  | {
      readonly kind: "values";
      /** By number, as each can be read back; null clears it. The others stay as they are. */
      readonly shown: ReadonlyMap<string, string | null>;
    }
  | { readonly kind: "empty" };
