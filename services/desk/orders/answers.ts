import { z } from "zod";
import {
  nextActionAnswer,
  orderAnswer,
  orderStatusAnswer,
} from "../../domain/order/answers/order-answer.ts";
import { commentAnswer } from "../../domain/order/answers/order-note-answer.ts";
import { numberType } from "../../domain/number/answers/number-fields.ts";
import {
  countryText,
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../platform/http/routing/answer-fields.ts";
import { accountReference } from "../accounts/account-reference.ts";
import { personAnswer } from "../operators/person-answer.ts";
import { ATTENTION_KINDS } from "./attention.ts";

const provider = z
  .string()
  .meta({ description: "The provider that carries the order out", examples: ["sandbox"] });

/** Why the desk has to look at an order. */
export const attentionAnswer = z
  .object({
    kind: z.enum(ATTENTION_KINDS).meta({
      description:
        "`carrier`: the carrier is silent, let the port date or a cancellation pass, or did something unexpected; `dead_letter`: a message of the order could not be handled and awaits a replay; `review_overdue`: its review is past its due time",
    }),
    reason: z.string().meta({
      description: "Why, for people",
      examples: ["The carrier has not answered. The request was sent again."],
    }),
    raised_at: timeText("Since when"),
  })
  .meta({ id: "OrderAttention", description: "Why the desk has to look at an order" });

const attention = attentionAnswer.nullable().meta({
  description: "Why the desk has to look at the order; null if it need not",
  examples: [null],
});

/** An order in the desk's list. */
export const orderSummaryAnswer = z
  .object({
    id: idText("The order's id"),
    batch_id: idText("Shared by all orders of one request"),
    account: accountReference,
    status: orderStatusAnswer,
    provider,
    provider_status: z.string().meta({
      description: "The carrier's own status, unchanged; empty until there is one",
      examples: ["FOC"],
    }),
    country_code: countryText("Country of the numbers"),
    number_type: numberType,
    losing_carrier: z
      .string()
      .nullable()
      .meta({
        description: "The carrier that has the numbers now; null if unknown",
        examples: ["Example Bell"],
      }),
    customer_reference: z.string().meta({
      description: "The customer's own reference; empty if none was given",
      examples: ["first port"],
    }),
    numbers_count: z.int().min(1).meta({ description: "How many numbers the order has" }),
    first_number: numberText("The first of its numbers, in E.164"),
    foc_requested: offsetTimeText("The requested port date").nullable(),
    foc_actual: offsetTimeText("The port date that the carrier confirmed")
      .nullable()
      .meta({ examples: [null] }),
    next_action: nextActionAnswer,
    attention,
    created_at: timeText("When the order was created"),
    updated_at: timeText("When the order last changed"),
  })
  .meta({ id: "OrderSummary", description: "An order in the desk's list" });

/** An order as the desk sees it: the customer's view with its account, provider and attention. */
export const deskOrderAnswer = orderAnswer
  .extend({
    account_id: idText("The id of the order's account"),
    account: accountReference,
    provider,
    provider_status_at: timeText("When the carrier said its status").nullable(),
    request_version: z.int().meta({
      description: "How often the order was sent to the carrier; 0 if never",
    }),
    review_attempt: z.int().meta({ description: "The attempt of its latest review; 0 if none" }),
    attention,
    cancellation: z
      .object({
        asked_by: z.enum(["customer", "ops"]).meta({ description: "Who asked for it" }),
        asked_at: timeText("When it was asked for"),
        reason: z
          .string()
          .nullable()
          .meta({ description: "The reason that was given", examples: ["Wrong numbers."] }),
        from_status: orderStatusAnswer,
      })
      .nullable()
      .meta({
        description: "A cancellation that the carrier was asked for, also after it was refused",
        examples: [null],
      }),
  })
  .meta({ id: "DeskOrder", description: "A porting order as the desk sees it" });

/** A comment with the operator who wrote it. */
export const deskCommentAnswer = commentAnswer
  .extend({
    author: personAnswer
      .nullable()
      .meta({ description: "The operator who wrote it; null if no operator did" }),
    internal: z.boolean().meta({ description: "Shown to the desk alone", examples: [false] }),
  })
  .meta({ id: "DeskComment", description: "A comment on an order as the desk sees it" });
