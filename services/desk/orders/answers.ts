import { z } from "zod";
import { eventType } from "../../domain/event/answers/event-type-answer.ts";
import { numberType } from "../../domain/number/answers/number-fields.ts";
import { changeAnswer } from "../../domain/order/answers/change-answer.ts";
import {
  nextActionAnswer,
  orderAnswer,
  orderStatusAnswer,
} from "../../domain/order/answers/order-answer.ts";
import {
  commentAnswer,
  timelineEntryAnswer,
} from "../../domain/order/answers/order-note-answer.ts";
import { STATUS_UPDATE_KINDS } from "../../domain/order/rules/status-update.ts";
import { TRACE_STEPS } from "../../domain/order/rules/trace-steps.ts";
import { instantText } from "../../platform/calendar/instant-text.ts";
import { optionalOrNull, textUpTo } from "../../platform/http/body/fields.ts";
import {
  countryText,
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../platform/http/routing/answer-fields.ts";
import { accountReference } from "../accounts/answers.ts";
import { personAnswer } from "../operators/answers.ts";

/** What a carrier said by mail or phone. */
export const carrierUpdateBody = z.strictObject({
  kind: optionalOrNull(z.enum(STATUS_UPDATE_KINDS)).describe(
    "What it means; unless given, the provider's table decides by raw_status",
  ),
  raw_status: textUpTo(200, z.string().min(1)).describe("The carrier's own words for the status"),
  occurred_at: optionalOrNull(instantText).describe(
    "When the carrier says that it happened; else now",
  ),
  request_version: optionalOrNull(z.int().min(1)).describe(
    "Which request it answers; the current one unless given",
  ),
  foc_at: optionalOrNull(instantText).describe(
    "The port date, which date_confirmed and date_moved need",
  ),
  rejection: optionalOrNull(
    z.strictObject({
      raw_code: z
        .string()
        .max(100)
        .describe("A code of the provider, or of /v2/porting_exceptions; `other` without one"),
      raw_text: textUpTo(2_000).default("").describe("The carrier's text, for the customer"),
      slug: optionalOrNull(textUpTo(64)).describe(
        "The requirement of the order that it concerns; that of the code unless given",
      ),
    }),
  ).describe("Why it rejected, refused or failed"),
  phone_numbers: optionalOrNull(z.array(z.string()).min(1).max(1_000)).describe(
    "The numbers that it is about; unless given, all that are not settled",
  ),
  comment: optionalOrNull(textUpTo(4_000, z.string().min(1))).describe(
    "The carrier's comment, which the customer receives",
  ),
  dry_run: z.boolean().default(false).describe("Answer with the effect and do nothing"),
});

/** What a status update does to the order as it is now. */
export const updateEffectAnswer = z
  .object({
    status: orderStatusAnswer,
    numbers: z
      .array(
        z.object({
          phone_number: numberText("The number, in E.164"),
          status: z
            .enum(["pending", "activating", "active", "failed", "cancelled"])
            .meta({ description: "What the number becomes" }),
        }),
      )
      .meta({ description: "The numbers that change, in the order's sequence", examples: [[]] }),
    events: z
      .array(eventType)
      .meta({ description: "The types of the events that the customer receives, in sequence" }),
    ignored: z
      .object({
        code: z.string().meta({
          description: "`order_closed`, `outdated_version`, `unknown_status` or `no_effect`",
          examples: ["no_effect"],
        }),
        detail: z.string().meta({
          description: "Why, for people",
          examples: ["An order in completed is not moved by acknowledged."],
        }),
      })
      .nullable()
      .meta({
        description: "Why the update moves nothing; null if it has an effect",
        examples: [null],
      }),
  })
  .meta({
    id: "CarrierUpdateEffect",
    description: "The status and the numbers that the order gets, and the events that follow",
  });

export const dryUpdateAnswer = z
  .object({ effect: updateEffectAnswer })
  .meta({ id: "CarrierUpdateDryRun", description: "What the update would do; nothing was done" });

export const carrierUpdateAnswer = z
  .object({ update_id: idText("The update's id"), effect: updateEffectAnswer })
  .meta({ id: "CarrierUpdateAccepted", description: "The update, which follows its way" });

/** A step in an order's trace; the ids tie the steps of one message, event or delivery together. */
export const traceEntryAnswer = z
  .object({
    id: z.string().meta({
      description: "The entry's id, for `starting_after` and `ending_before`",
      examples: ["MTc2NzIyNTYwMDAwMC4yLjQy"],
    }),
    at: timeText("When it happened"),
    step: z.enum(TRACE_STEPS).meta({
      description:
        "`request`: somebody acted on the order (audit log); `change`: an entry of its timeline; `outbox`: a message was committed; `topic`: Kafka acknowledged it; `handler`: a consumer applied it; `dead_letter`: a consumer could not; `event`: the event log has it; `delivery`: a webhook was created; `attempt`: it was sent",
    }),
    name: z.string().meta({
      description:
        "What it is: the action, the kind of timeline entry, the topic, the consumer or the event's type",
      examples: ["porting.events"],
    }),
    actor: z
      .object({
        type: z
          .enum(["customer", "desk", "carrier", "system"])
          .meta({ description: "Which side acted" }),
        id: z.string().nullable().meta({ description: "Who acted, such as an operator's id" }),
        name: z.string().nullable().meta({ description: "Who acted, by name" }),
      })
      .nullable()
      .meta({ description: "Who acted; null if nobody did" }),
    request_id: z
      .string()
      .nullable()
      .meta({ description: "The `Request-Id` of the request", examples: [null] }),
    message_id: idText("The message's id, shared by outbox, topic and handler")
      .nullable()
      .meta({ examples: [null] }),
    trace_id: z
      .string()
      .nullable()
      .meta({
        description: "The W3C trace that the message belongs to",
        examples: ["4bf92f3577b34da6a3ce929d0e0e4736"],
      }),
    event_id: idText("The event's id, shared by the event and its deliveries")
      .nullable()
      .meta({ examples: [null] }),
    delivery_id: idText("The delivery's id, shared by the delivery and its attempts")
      .nullable()
      .meta({ examples: [null] }),
    topic: z
      .string()
      .nullable()
      .meta({ description: "The topic, without a prefix", examples: ["porting.events"] }),
    partition: z.int().nullable().meta({ description: "Where Kafka put the message" }),
    offset: z.int().nullable().meta({ description: "Where Kafka put the message" }),
    consumer: z
      .string()
      .nullable()
      .meta({ description: "The service that handled it", examples: ["order-lifecycle"] }),
    state: z
      .string()
      .nullable()
      .meta({
        description:
          "Of an outbox row `waiting` or `sent`; of a dead letter, a delivery or an attempt its state",
        examples: ["sent"],
      }),
    value: z
      .looseObject({})
      .nullable()
      .meta({
        description: "The decoded content, sensitive values masked; null if there is none",
        examples: [{ status: "submitted" }],
      }),
  })
  .meta({ id: "TraceEntry", description: "A step in an order's trace" });

/** An internal note on an order; no customer ever sees one. */
export const noteAnswer = z
  .object({
    id: idText("The note's id, also that of its entry in the desk's timeline"),
    body: z.string().meta({
      description: "The note's text",
      examples: ["The carrier wants the account number without dashes."],
    }),
    author: personAnswer,
    created_at: timeText("When it was written"),
  })
  .meta({ id: "Note", description: "An internal note of the desk on an order" });

const { kind } = timelineEntryAnswer.shape;

/** An entry of the timeline as the desk sees it: its notes too. */
export const deskTimelineEntryAnswer = timelineEntryAnswer
  .extend({
    kind: z
      .enum([...kind.options, "note"])
      .meta({ description: "What the entry is about; notes are internal" }),
  })
  .meta({ id: "DeskTimelineEntry", description: "Something that happened to an order" });

/** Why the desk has to look at an order, the most pressing reason first. */
const ATTENTION_KINDS = [
  "carrier",
  "dead_letter",
  "duplicate",
  "comment",
  "review_overdue",
] as const;

export type AttentionKind = (typeof ATTENTION_KINDS)[number];

const provider = z
  .string()
  .meta({ description: "The provider that carries the order out", examples: ["sandbox"] });

/** Why the desk has to look at an order. */
const attentionAnswer = z
  .object({
    kind: z.enum(ATTENTION_KINDS).meta({
      description:
        "`carrier`: the carrier is silent, let the port date or a cancellation pass, or did something unexpected; `dead_letter`: a message of the order could not be handled and awaits a replay; `duplicate`: it is under review, and a live order of another account has one of its numbers; `comment`: its customer wrote, and nobody has answered or called it seen; `review_overdue`: its review is past its due time",
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
    changes: z.array(changeAnswer).meta({
      description: "What its carrier was asked to change, the oldest first",
      examples: [[]],
    }),
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
  .meta({
    id: "DeskComment",
    description: "A comment on an order or a port-out as the desk sees it",
  });
