import { z } from "zod";
import { MATCHED } from "../../domain/document/rules/check-result.ts";
import { commentAnswer } from "../../domain/order/answers/order-note-answer.ts";
import { orderStatusAnswer } from "../../domain/order/answers/order-answer.ts";
import { REQUIREMENT_STATUSES } from "../../domain/requirement/answers/requirement-answer.ts";
import {
  countryText,
  hashText,
  idText,
  listOf,
  numberText,
  offsetTimeText,
  timeText,
} from "../../platform/http/routing/answer-fields.ts";
import { accountReference } from "../accounts/answers.ts";
import { personAnswer } from "../operators/answers.ts";
import { noteAnswer } from "../orders/answers.ts";

/** What is checked about a document, as the case of a review shows it. */
const documentCheckAnswer = z
  .object({
    check: z.enum(["opens", "age", "scan", "pages"]).meta({
      description:
        "`opens`: the file can be opened and does nothing by itself; `age`: for information, its detail states how old it is; failed where it has become older than it may be when it arrives; `scan`: the virus scanner, where one is configured; `pages`: for information, its detail states how many",
    }),
    state: z
      .enum(["none", "checking", "passed", "failed"])
      .describe("`checking` until its result is known; `none`: it was not asked for"),
    code: z
      .string()
      .nullable()
      .meta({
        description: "Why it has not passed, for programs",
        examples: ["document_encrypted"],
      }),
    detail: z
      .string()
      .nullable()
      .meta({
        description: "Why it has not passed, or what was found, for people",
        examples: ["The PDF asks for a password. Upload a copy that opens without a password."],
      }),
  })
  .meta({ id: "DocumentCheck", description: "One check of a document and its result" });

export type DocumentCheckAnswer = z.infer<typeof documentCheckAnswer>;

/** Whether a document's text holds one value of the order: a hint for the reviewer, never a refusal. */
const matchAnswer = z
  .object({
    what: z.enum(MATCHED).meta({ description: "`signer` is the requirement `auth_person_name`" }),
    value: z.string().meta({
      description: "The order's value, as the case shows it to this operator",
      examples: ["+12125550123"],
    }),
    found: z.boolean().nullable().meta({
      description:
        "null where the document has no text that can be read, such as a scanned page, or is not read yet",
    }),
    page: z
      .int()
      .nullable()
      .meta({ description: "The first page that holds the value, from 1", examples: [1] }),
  })
  .meta({
    id: "DocumentMatch",
    description: "Whether a document's text holds one value of the order; a hint, never a refusal",
  });

export type MatchAnswer = z.infer<typeof matchAnswer>;

/** A reason with which the desk rejects a requirement (docs/contract/desk-api.md, GET /rejection_reasons). */
export const rejectionReasonAnswer = z
  .object({
    code: z.string().meta({
      description: "Stable; for `code` in a decision",
      examples: ["loa_invalid"],
    }),
    slugs: z.array(z.string().meta({ examples: ["loa"] })).meta({
      description:
        "The requirements that may be rejected with it, most likely first; empty if it concerns the whole order, so that no requirement is rejected with it",
      examples: [["loa"]],
    }),
    title: z.string().meta({
      description: "What it means, in short",
      examples: ["LOA not accepted"],
    }),
    text: z.string().meta({
      description: "A sentence for the customer, ready to be sent as the reason or edited first",
      examples: ["The letter of authorization is illegible. Sign a new one."],
    }),
  })
  .meta({ id: "RejectionReason", description: "Why the desk rejects a requirement" });

const slugText = z.string().meta({ description: "The slug of a requirement", examples: ["loa"] });

const caseValue = z
  .object({
    phone_number: numberText("Whose value it is"),
    status: z.enum(REQUIREMENT_STATUSES).meta({ description: "With the verdicts of this case" }),
    exception_reason: z
      .string()
      .nullable()
      .meta({ description: "Why it was rejected", examples: [null] }),
    field_value: z.string().nullable().meta({
      description: "The value; a PIN is always masked, other sensitive values for viewers",
    }),
    previous_value: z
      .string()
      .nullable()
      .meta({ description: "The value at the attempt before; null if there was none" }),
  })
  .meta({ id: "CaseNumberValue", description: "The value of one number as the desk sees it" });

const caseRequirement = z
  .object({
    slug: slugText.describe("Names the requirement in a decision"),
    name: z.string().meta({
      description: "The requirement's name, as the customer sees it",
      examples: ["Letter of authorization"],
    }),
    field_type: z
      .enum(["document", "text", "address", "date", "choice"])
      .meta({ description: "`document` is a file; the others are values" }),
    mandatory: z.boolean().meta({ description: "Whether the order needs it to be submitted" }),
    scope: z
      .enum(["order", "number"])
      .describe("Whether one value is for the whole order, or each of its numbers has its own"),
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
    values: z.array(caseValue).meta({
      description: "The values of the numbers, of scope `number`; empty otherwise",
      examples: [[]],
    }),
    document_id: idText("The document as it is now; null for a value").nullable(),
    previous_document_id: idText("The document at the attempt before").nullable(),
    document_date: timeText("The date of the document, as uploaded").nullable(),
    checks: z
      .array(documentCheckAnswer)
      .meta({ description: "What was checked about the document; empty for a value" }),
    matches: z.array(matchAnswer).meta({
      description:
        "Whether the document's text, where it can be extracted, holds the order's values",
    }),
  })
  .meta({ id: "CaseRequirement", description: "A requirement of the order as the desk sees it" });

const caseOrder = z
  .object({
    account: accountReference,
    country_code: countryText("Country of the order's numbers"),
    number_type: z
      .string()
      .meta({ description: "Type of the order's numbers", examples: ["local"] }),
    losing_carrier: z
      .string()
      .nullable()
      .meta({ description: "The carrier that has the numbers now; null if unknown" }),
    phone_numbers: z
      .array(numberText())
      .meta({ description: "The order's numbers in E.164, 1 to 1,000" }),
    customer_reference: z.string().meta({
      description: "The customer's own reference; empty if none was given",
      examples: ["first port"],
    }),
    foc_requested: offsetTimeText("The requested port date").nullable(),
  })
  .meta({ id: "CaseOrder", description: "The facts of the order under review" });

const verdict = z
  .object({
    slug: slugText.describe("The requirement that it is on"),
    phone_number: z
      .string()
      .nullable()
      .meta({ description: "Whose value it is on; null for the whole requirement" }),
    decision: z.enum(["approve", "reject"]).meta({ description: "What the desk decided" }),
    code: z.string().nullable().meta({ description: "A code of /desk/v1/rejection_reasons" }),
    reason: z.string().nullable().meta({ description: "What the customer reads" }),
    operator: personAnswer,
    at: timeText("When it was given"),
  })
  .meta({ id: "Verdict", description: "The verdict on one requirement" });

const CASE_STATES = ["open", "decided", "withdrawn"] as const;

const outcome = z.enum(["applied", "superseded"]).nullable().meta({
  description:
    "Whether the decision took effect; superseded if the customer's cancel was first; null until it is known",
});

const settled = {
  attempt: z.int().meta({ description: "Which submission of the order: 1, 2, …" }),
  state: z.enum(CASE_STATES).meta({
    description: "withdrawn: the customer cancelled before the decision",
    examples: ["decided"],
  }),
  outcome,
  submitted_at: timeText("When the customer submitted the order"),
  decided_at: timeText("When the case was closed")
    .nullable()
    .meta({ examples: ["2026-03-02T14:10:00.000Z"] }),
  decided_by: personAnswer.nullable().describe("Who closed it"),
};

/** A case of the same order before this one. */
const earlierCase = z
  .object({
    ...settled,
    changed_slugs: z
      .array(slugText)
      .meta({ description: "Requirements that had changed since the case before it" }),
    decisions: z.array(verdict).meta({ description: "The verdicts, in the order given" }),
  })
  .meta({ id: "EarlierCase", description: "An earlier case of the same order" });

/** A case of another order of the account before this one. */
const accountCase = z
  .object({
    order_id: idText("The other order"),
    ...settled,
    rejected: z
      .array(
        z.object({
          slug: slugText.describe("The requirement that was rejected"),
          code: z
            .string()
            .nullable()
            .meta({ description: "A code of /desk/v1/rejection_reasons; null if none was given" }),
          reason: z.string().nullable().meta({ description: "What the customer read" }),
        }),
      )
      .meta({ description: "What was found wrong; empty if the order went to the carrier" }),
  })
  .meta({ id: "AccountCase", description: "An earlier case of another order of the account" });

const handover = z
  .object({
    from: personAnswer.nullable().describe("Who had claimed the case before, if anyone"),
    by: personAnswer,
    reason: z.string().nullable().meta({ description: "Why; null where it was assigned" }),
    at: timeText("When it came to its claimer"),
    seen_at: timeText(
      "When its claimer opened it; null where it was assigned and was not yet",
    ).nullable(),
  })
  .meta({
    id: "Handover",
    description: "How a case came to its claimer: `by`, a lead, took it over or assigned it",
  });

const document = z.object({
  id: idText("The document's id, for `GET /desk/v1/documents/{id}`"),
  slug: slugText.describe("The requirement that it was given for"),
  content_type: z.string().meta({
    description: "Its media type",
    examples: ["application/pdf"],
  }),
  size_bytes: z.int().meta({ description: "Its size in bytes", examples: [48_213] }),
  sha256: hashText("SHA-256 of its bytes, in hex"),
  created_at: timeText("When it was uploaded"),
});

const claimedBy = personAnswer
  .nullable()
  .describe("The operator with a valid claim; null if there is none or it has lapsed");

const changedSlugs = z
  .array(slugText)
  .meta({ description: "Requirements that changed since the previous case" });

const dueAt = timeText("When the desk's decision is due, counted in the desk's hours");

const unansweredAt = timeText(
  "When the customer wrote the first comment that the desk has neither answered by one nor called seen; null if there is none",
).nullable();

const duplicate = z
  .object({
    order_id: idText("The other order"),
    account: accountReference,
    status: orderStatusAnswer,
    phone_number: numberText("The first number that both have, in E.164"),
    count: z.int().meta({ description: "How many numbers both have", examples: [1] }),
    created_at: timeText("When the other order was created"),
  })
  .meta({
    id: "DuplicateOrder",
    description: "A live order of another account with numbers of this one",
  });

/** A case of the queue (docs/contract/desk-api.md, GET /reviews). */
export const queuedCaseAnswer = z
  .object({
    order_id: idText("The order, by which the case is named"),
    account: accountReference,
    country_code: countryText("Country of the order's numbers"),
    number_type: z
      .string()
      .meta({ description: "Type of the order's numbers", examples: ["local"] }),
    losing_carrier: z
      .string()
      .nullable()
      .meta({ description: "The carrier that has the numbers now; null if unknown" }),
    customer_reference: z.string().meta({
      description: "The customer's own reference; empty if none was given",
      examples: ["MOVE-2031"],
    }),
    numbers_count: z.int().meta({ description: "How many numbers the order has: 1 to 1,000" }),
    submitted_at: timeText("Since when the case has waited"),
    due_at: dueAt,
    attempt: z.int().meta({ description: "Which submission of the order: 1, 2, …" }),
    changed_slugs: changedSlugs,
    unanswered_comment_at: unansweredAt,
    has_duplicate: z.boolean().meta({
      description: "Whether a live order of another account has one of its numbers",
      examples: [false],
    }),
    claimed_by: claimedBy,
  })
  .meta({ id: "QueuedCase", description: "An open case in the queue" });

/** How many cases each view of the queue lists. */
const queueCountsAnswer = z
  .object({
    all: z.int().meta({ description: "Without claimed_by and overdue" }),
    mine: z.int().meta({ description: "With claimed_by=me" }),
    unclaimed: z.int().meta({ description: "With claimed_by=none" }),
    overdue: z.int().meta({ description: "With overdue=true, whoever claimed them" }),
  })
  .meta({
    id: "QueueCounts",
    description: "How many cases each view lists, with the other filters of the request",
  });

export const queueAnswer = listOf(queuedCaseAnswer).extend({ counts: queueCountsAnswer });

/** An order's case (docs/contract/desk-api.md, GET /reviews/{order_id}). */
export const caseAnswer = z
  .object({
    order_id: idText("The order, by which the case is named"),
    attempt: z.int().meta({ description: "Which submission of the order: 1, 2, …" }),
    state: z
      .enum(CASE_STATES)
      .meta({ description: "withdrawn: the customer cancelled before the decision" }),
    outcome,
    claimed_by: claimedBy,
    claimed_until: timeText("When the claim lapses")
      .nullable()
      .meta({ examples: ["2026-03-02T14:15:00.000Z"] }),
    handover: handover.nullable(),
    submitted_at: timeText("When the customer submitted the order"),
    due_at: dueAt,
    changed_slugs: changedSlugs,
    order: caseOrder,
    requirements: z
      .array(caseRequirement)
      .meta({ description: "Everything that the order asks for" }),
    duplicates: z.array(duplicate).meta({
      description:
        "Live orders of other accounts with numbers of this one, up to 20; drafts are none",
      examples: [[]],
    }),
    unanswered_comment_at: unansweredAt,
    documents: z.array(document).meta({ description: "All documents ever given to the order" }),
    comments: z
      .array(commentAnswer)
      .meta({ description: "What customer, desk and carrier wrote, oldest first" }),
    notes: z.array(noteAnswer).meta({ description: "The desk's internal notes, oldest first" }),
    history: z
      .array(earlierCase)
      .meta({ description: "Earlier cases of this order, latest first" }),
    account_history: z.array(accountCase).meta({
      description:
        "Up to 20 closed cases of other orders of the account before this one, latest first",
    }),
  })
  .meta({ id: "ReviewCase", description: "Everything that the desk needs to decide a submission" });
