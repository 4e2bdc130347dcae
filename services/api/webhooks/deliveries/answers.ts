import { z } from "zod";
import { ATTEMPT_ERRORS, DELIVERY_STATUSES } from "../../../domain/webhook/rules/delivery.ts";
import { EVENT_TYPES } from "../../../messages/events.ts";
import { idText, timeText } from "../../../platform/http/routing/answer-fields.ts";
import { exampleEvent } from "../sample-event.ts";

const attempt = z.object({
  attempt: z.int(),
  started_at: timeText(),
  duration_ms: z.int().meta({ examples: [84] }),
  response_code: z
    .int()
    .nullable()
    .meta({ examples: [503] }),
  error: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ examples: [{ code: "http_error", message: ATTEMPT_ERRORS.http_error }] }),
  response_body: z
    .string()
    .nullable()
    .meta({ description: "The first 4 KiB of the response body" }),
});

/** A delivery with its attempts (docs/contract/customer-api.md, Webhook deliveries). */
export const deliveryAnswer = z
  .object({
    id: idText(),
    event_id: idText(),
    event_type: z.enum(EVENT_TYPES),
    webhook_endpoint_id: idText("Null if it went to an order's own webhook_url").nullable(),
    url: z.string().meta({ examples: ["https://hooks.example.com/porting"] }),
    porting_order_id: idText().nullable(),
    status: z.enum(DELIVERY_STATUSES),
    trigger: z.enum(["event", "republish", "recover", "test"]),
    attempt_count: z.int(),
    next_attempt_at: timeText()
      .nullable()
      .meta({ examples: ["2026-03-02T14:05:00.000Z"] }),
    created_at: timeText(),
    completed_at: timeText().nullable(),
    attempt_log: z.array(attempt),
    payload: z.looseObject({}).meta({
      description: "The exact body sent, as an object",
      examples: [exampleEvent("porting_order.created")],
    }),
  })
  .meta({ id: "WebhookDelivery" });

/** The deliveries that a republish created. */
export const newDeliveriesAnswer = z.object({ data: z.array(deliveryAnswer) });
