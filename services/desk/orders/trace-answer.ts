import { z } from "zod";
import { TRACE_STEPS } from "../../domain/order/rules/trace-steps.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";

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
