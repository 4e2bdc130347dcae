// Made from schemas/review-request.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";

/** What is asked for. */
export type ReviewRequestKind =
  | "unrecognized"
  | "check_document"
  | "open_case"
  | "withdraw_case";

/** Work for requirement-review. Topic porting.review-requests, keyed by order id. */
export interface ReviewRequest {
  /** Check an uploaded document, open a case at the desk, or take it back. */
  readonly kind: ReviewRequestKind;
  /** Order concerned. */
  readonly order_id: string;
  /** Account of the order. */
  readonly account_id: string;
  /** Number of the order's submission, from 1; 0 before the first. */
  readonly attempt: number;
  /** Requirement of the document; set for check_document. */
  readonly slug: string | null;
  /** Document to check; set for check_document. */
  readonly document_id: string | null;
}

export const REVIEW_REQUEST_TEXT = `{
  "type": "record",
  "name": "ReviewRequest",
  "namespace": "numberporting",
  "doc": "Work for requirement-review. Topic porting.review-requests, keyed by order id.",
  "fields": [
    {
      "name": "kind",
      "type": {
        "type": "enum",
        "name": "ReviewRequestKind",
        "doc": "What is asked for.",
        "symbols": ["unrecognized", "check_document", "open_case", "withdraw_case"],
        "default": "unrecognized"
      },
      "doc": "Check an uploaded document, open a case at the desk, or take it back."
    },
    { "name": "order_id", "type": "string", "doc": "Order concerned." },
    { "name": "account_id", "type": "string", "doc": "Account of the order." },
    {
      "name": "attempt",
      "type": "int",
      "doc": "Number of the order's submission, from 1; 0 before the first."
    },
    {
      "name": "slug",
      "type": ["null", "string"],
      "default": null,
      "doc": "Requirement of the document; set for check_document."
    },
    {
      "name": "document_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "Document to check; set for check_document."
    }
  ]
}
`;

export const REVIEW_REQUEST_SCHEMA = JSON.parse(REVIEW_REQUEST_TEXT) as AvroRecordSchema;
