import { z } from "zod";
import { EVENT_TYPES } from "../../../messages/events.ts";
import { uuid } from "../../../platform/http/body/fields.ts";
import { idText, timeText } from "../../../platform/http/routing/answer-fields.ts";
import { eventType } from "../../event/answers/event-type-answer.ts";
import { exampleEvent } from "../../event/rules/serialize-event.ts";
import type { FilterParameters } from "../../../platform/http/paging.ts";
import type { DeliveryFilter } from "../store/deliveries.ts";
import { ATTEMPT_ERRORS, DELIVERY_STATUSES } from "../rules/delivery.ts";

const FAILURES = new RegExp(`^([1-9]\\d\\d|${Object.keys(ATTEMPT_ERRORS).join("|")})$`);

/** The filters of a list of deliveries. */
export const deliveryFilters = {
  status: z
    .array(z.enum(DELIVERY_STATUSES))
    .optional()
    .describe("Deliveries in any of these statuses"),
  event_type: z
    .array(z.enum(EVENT_TYPES))
    .optional()
    .describe("Deliveries of events of any of these types"),
  webhook_endpoint_id: uuid().optional().describe("Deliveries to this endpoint"),
  porting_order_id: uuid().optional().describe("Deliveries of this order's events"),
  event_id: uuid().optional().describe("Deliveries of this event"),
  failure_code: z
    .string()
    .regex(FAILURES, "It must be an HTTP status or the error.code of an attempt.")
    .optional()
    .meta({
      description:
        "Deliveries that have not succeeded, whose last attempt got this HTTP status, or no answer for this `error.code`",
      examples: ["503"],
    }),
} satisfies FilterParameters<DeliveryFilter>;

const attempt = z
  .object({
    attempt: z.int().meta({ description: "Which attempt it was, from 1" }),
    started_at: timeText("When it started"),
    duration_ms: z.int().meta({ description: "How long it took, in milliseconds", examples: [84] }),
    response_code: z
      .int()
      .nullable()
      .meta({ description: "The receiver's HTTP status; null if there was none", examples: [503] }),
    error: z
      .object({
        code: z
          .enum(Object.keys(ATTEMPT_ERRORS))
          .meta({ description: "Why it failed, for programs" }),
        message: z.string().meta({
          description: "Why it failed, for people",
          examples: [ATTEMPT_ERRORS.http_error],
        }),
      })
      .nullable()
      .meta({
        description: "Why it failed; null if it succeeded",
        examples: [{ code: "http_error", message: ATTEMPT_ERRORS.http_error }],
      }),
    response_body: z
      .string()
      .nullable()
      .meta({ description: "The first 4 KiB of the response body; null in lists" }),
    body_omitted: z.literal(true).optional().meta({
      description:
        "There was a body that is not shown: in lists, and of attempts between the first and the last ten",
    }),
  })
  .meta({ id: "WebhookAttempt", description: "One HTTP request of a delivery" });

/** A delivery with its attempts (docs/contract/customer-api.md, Webhook deliveries). */
export const deliveryAnswer = z
  .object({
    id: idText("The delivery's id"),
    event_id: idText("The event that is delivered"),
    event_type: eventType,
    webhook_endpoint_id: idText("Null if it went to an order's own webhook_url").nullable(),
    url: z.string().meta({
      description: "Where it goes",
      examples: ["https://hooks.example.com/porting"],
    }),
    porting_order_id: idText("The order that the event concerns").nullable(),
    status: z
      .enum(DELIVERY_STATUSES)
      .meta({ id: "WebhookDeliveryStatus", description: "Where the delivery stands" }),
    trigger: z
      .enum(["event", "republish", "recover", "test"])
      .meta({ description: "Why it was made" }),
    attempt_count: z.int().meta({ description: "How many attempts have ended" }),
    attempting: z.boolean().meta({ description: "Whether an attempt is under way" }),
    next_attempt_at: timeText("When it is tried next")
      .nullable()
      .meta({ examples: ["2026-03-02T14:05:00.000Z"] }),
    created_at: timeText("When it was created"),
    completed_at: timeText("When it succeeded or was given up").nullable(),
    attempt_log: z.array(attempt).meta({ description: "Each attempt, oldest first" }),
    payload: z.looseObject({}).meta({
      description: "The exact body sent, as an object",
      examples: [exampleEvent("porting_order.created")],
    }),
  })
  .meta({ id: "WebhookDelivery", description: "A webhook that was sent, tried or skipped" });

export type DeliveryAnswer = z.output<typeof deliveryAnswer>;

/** The deliveries that a republish created. */
export const newDeliveriesAnswer = z
  .object({ data: z.array(deliveryAnswer).meta({ description: "The new deliveries" }) })
  .meta({ id: "NewWebhookDeliveries", description: "The deliveries that a republish created" });
