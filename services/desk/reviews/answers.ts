import { z } from "zod";
import { commentAnswer } from "../../domain/order/answers/order-note-answer.ts";
import {
  countryText,
  idText,
  listOf,
  timeText,
} from "../../platform/http/routing/answer-fields.ts";
import { noteAnswer } from "../notes/answers.ts";
import { personAnswer } from "../operators/person-answer.ts";
import { accountReference } from "../accounts/account-reference.ts";
import {
  CASE_STATES,
  accountCase,
  caseOrder,
  caseRequirement,
  document,
  earlierCase,
  handover,
  outcome,
  slugText,
} from "./case-fields.ts";

const claimedBy = personAnswer
  .nullable()
  .describe("The operator with a valid claim; null if there is none or it has lapsed");

const changedSlugs = z
  .array(slugText)
  .meta({ description: "Requirements that changed since the previous case" });

const dueAt = timeText("When the desk's decision is due, counted in the desk's hours");

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
    unanswered_comment_at: timeText(
      "When the customer wrote the first comment that the desk has not answered by one; null if there is none",
    ).nullable(),
    claimed_by: claimedBy,
  })
  .meta({ id: "QueuedCase", description: "An open case in the queue" });

/** How many cases each view of the queue lists. */
export const queueCountsAnswer = z
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
