import { z } from "zod";
import {
  hashText,
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../platform/http/routing/answer-fields.ts";
import { REQUIREMENT_STATUSES } from "../../domain/requirement/answers/requirement-answer.ts";
import { documentCheckAnswer } from "../document-check/answers.ts";
import { matchAnswer } from "../document-reading/answers.ts";
import { accountReference } from "../accounts/account-reference.ts";
import { personAnswer } from "../operators/person-answer.ts";

export const slugText = z.string().meta({ examples: ["loa"] });

export const caseRequirement = z
  .object({
    slug: slugText,
    name: z.string().meta({ examples: ["Letter of authorization"] }),
    field_type: z.enum(["document", "text", "address", "date", "choice"]),
    mandatory: z.boolean(),
    status: z
      .enum(REQUIREMENT_STATUSES)
      .meta({ description: "With the verdicts of this case, also those not yet applied" }),
    field_value: z.string().nullable().meta({
      description: "The value; a PIN is always masked, other sensitive values for viewers",
    }),
    previous_value: z
      .string()
      .nullable()
      .meta({ description: "The value at the attempt before; null if there was none" }),
    document_id: idText().nullable(),
    previous_document_id: idText("The document at the attempt before").nullable(),
    document_date: timeText("The date of the document, as uploaded").nullable(),
    checks: z.array(documentCheckAnswer),
    matches: z.array(matchAnswer).meta({
      description:
        "Whether the document's text, where it can be extracted, holds the order's values",
    }),
  })
  .meta({ id: "CaseRequirement", description: "A requirement of the order as the desk sees it" });

export const caseOrder = z
  .object({
    account: accountReference,
    country_code: z.string().meta({ examples: ["US"] }),
    number_type: z.string().meta({ examples: ["local"] }),
    losing_carrier: z
      .string()
      .nullable()
      .meta({ description: "The carrier that has the numbers now; null if unknown" }),
    phone_numbers: z.array(numberText()),
    customer_reference: z.string().meta({ examples: ["first port"] }),
    foc_requested: offsetTimeText("The requested port date").nullable(),
  })
  .meta({ id: "CaseOrder", description: "The facts of the order under review" });

const verdict = z
  .object({
    slug: slugText,
    decision: z.enum(["approve", "reject"]),
    code: z.string().nullable().meta({ description: "A code of /desk/v1/rejection_reasons" }),
    reason: z.string().nullable().meta({ description: "What the customer is told" }),
    operator: personAnswer,
    at: timeText("When it was given"),
  })
  .meta({ id: "Verdict", description: "The verdict on one requirement" });

export const CASE_STATES = ["open", "decided", "withdrawn"] as const;

export const outcome = z.enum(["applied", "superseded"]).nullable().meta({
  description:
    "Whether the decision took effect; superseded if the customer's cancel was first; null until it is known",
});

const settled = {
  attempt: z.int().meta({ description: "Which submission of the order: 1, 2, …" }),
  state: z.enum(CASE_STATES).meta({ examples: ["decided"] }),
  outcome,
  submitted_at: timeText("When the customer submitted the order"),
  decided_at: timeText("When the case was closed")
    .nullable()
    .meta({ examples: ["2026-03-02T14:10:00.000Z"] }),
  decided_by: personAnswer.nullable().describe("Who closed it"),
};

/** A case of the same order before this one. */
export const earlierCase = z
  .object({ ...settled, changed_slugs: z.array(slugText), decisions: z.array(verdict) })
  .meta({ id: "EarlierCase", description: "An earlier case of the same order" });

/** A case of another order of the account before this one. */
export const accountCase = z
  .object({
    order_id: idText(),
    ...settled,
    rejected: z
      .array(
        z.object({ slug: slugText, code: z.string().nullable(), reason: z.string().nullable() }),
      )
      .meta({ description: "What was found wrong; empty if the order went to the carrier" }),
  })
  .meta({ id: "AccountCase", description: "An earlier case of another order of the account" });

export const handover = z
  .object({
    from: personAnswer.nullable().describe("Who had claimed the case before, if anyone"),
    by: personAnswer,
    reason: z.string().nullable().meta({ description: "Why; null where it was assigned" }),
    at: timeText(),
  })
  .meta({
    id: "Handover",
    description: "How a case came to its claimer: `by`, a lead, took it over or assigned it",
  });

export const document = z.object({
  id: idText(),
  slug: slugText,
  content_type: z.string().meta({ examples: ["application/pdf"] }),
  size_bytes: z.int().meta({ examples: [48_213] }),
  sha256: hashText(),
  created_at: timeText(),
});
