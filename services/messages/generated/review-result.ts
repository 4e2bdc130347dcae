// Made from schemas/review-result.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";

/** What happened. */
export type ReviewResultKind =
  | "unrecognized"
  | "document_checked"
  | "decided";

/** How a requirement was decided. */
export type RequirementVerdict =
  | "unrecognized"
  | "approve"
  | "reject";

/** The desk's decision on one requirement. */
export interface RequirementDecision {
  /** Requirement that was decided. */
  readonly slug: string;
  /** Number whose value was decided, in E.164, where each number has its own; null where it is all of them, or the order's one. */
  readonly phone_number: string | null;
  /** Approved or rejected. */
  readonly decision: RequirementVerdict;
  /** Canonical exception code of a rejection, where one was given. */
  readonly code: string | null;
  /** Reason of a rejection, shown to the customer. */
  readonly reason: string | null;
}

/** What requirement-review found or an operator decided. Topic porting.review-results, keyed by order id. */
export interface ReviewResult {
  /** A document was checked, or the desk decided. */
  readonly kind: ReviewResultKind;
  /** Order concerned. */
  readonly order_id: string;
  /** Attempt of the request that is answered. */
  readonly attempt: number;
  /** Requirement of the document; set for document_checked. */
  readonly slug: string | null;
  /** Document that was checked; set for document_checked. */
  readonly document_id: string | null;
  /** Whether the document passed; set for document_checked. */
  readonly passed: boolean | null;
  /** Why it did not pass, as a code. */
  readonly code: string | null;
  /** Why it did not pass, in words. */
  readonly detail: string | null;
  /** Decisions per requirement; set for decided, may be empty where confirm is true. */
  readonly decisions: readonly RequirementDecision[] | null;
  /** True when the desk confirms the order; set for decided. */
  readonly confirm: boolean | null;
  /** Operator who decided; set for decided. */
  readonly operator_id: string | null;
  /** Id of the decision as the desk stored it, which is also the message-id; set for decided. Messages from before it existed have none. */
  readonly decision_id: string | null;
}

export const REVIEW_RESULT_TEXT = `{
  "type": "record",
  "name": "ReviewResult",
  "namespace": "numberporting",
  "doc": "What requirement-review found or an operator decided. Topic porting.review-results, keyed by order id.",
  "fields": [
    {
      "name": "kind",
      "type": {
        "type": "enum",
        "name": "ReviewResultKind",
        "doc": "What happened.",
        "symbols": ["unrecognized", "document_checked", "decided"],
        "default": "unrecognized"
      },
      "doc": "A document was checked, or the desk decided."
    },
    { "name": "order_id", "type": "string", "doc": "Order concerned." },
    { "name": "attempt", "type": "int", "doc": "Attempt of the request that is answered." },
    {
      "name": "slug",
      "type": ["null", "string"],
      "default": null,
      "doc": "Requirement of the document; set for document_checked."
    },
    {
      "name": "document_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "Document that was checked; set for document_checked."
    },
    {
      "name": "passed",
      "type": ["null", "boolean"],
      "default": null,
      "doc": "Whether the document passed; set for document_checked."
    },
    { "name": "code", "type": ["null", "string"], "default": null, "doc": "Why it did not pass, as a code." },
    {
      "name": "detail",
      "type": ["null", "string"],
      "default": null,
      "doc": "Why it did not pass, in words."
    },
    {
      "name": "decisions",
      "type": [
        "null",
        {
          "type": "array",
          "items": {
            "type": "record",
            "name": "RequirementDecision",
            "doc": "The desk's decision on one requirement.",
            "fields": [
              { "name": "slug", "type": "string", "doc": "Requirement that was decided." },
              {
                "name": "phone_number",
                "type": ["null", "string"],
                "default": null,
                "doc": "Number whose value was decided, in E.164, where each number has its own; null where it is all of them, or the order's one."
              },
              {
                "name": "decision",
                "type": {
                  "type": "enum",
                  "name": "RequirementVerdict",
                  "doc": "How a requirement was decided.",
                  "symbols": ["unrecognized", "approve", "reject"],
                  "default": "unrecognized"
                },
                "doc": "Approved or rejected."
              },
              {
                "name": "code",
                "type": ["null", "string"],
                "default": null,
                "doc": "Canonical exception code of a rejection, where one was given."
              },
              {
                "name": "reason",
                "type": ["null", "string"],
                "default": null,
                "doc": "Reason of a rejection, shown to the customer."
              }
            ]
          }
        }
      ],
      "default": null,
      "doc": "Decisions per requirement; set for decided, may be empty where confirm is true."
    },
    {
      "name": "confirm",
      "type": ["null", "boolean"],
      "default": null,
      "doc": "True when the desk confirms the order; set for decided."
    },
    {
      "name": "operator_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "Operator who decided; set for decided."
    },
    {
      "name": "decision_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "Id of the decision as the desk stored it, which is also the message-id; set for decided. Messages from before it existed have none."
    }
  ]
}
`;

export const REVIEW_RESULT_SCHEMA = JSON.parse(REVIEW_RESULT_TEXT) as AvroRecordSchema;
