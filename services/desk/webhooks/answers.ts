import { z } from "zod";
import { eventType } from "../../domain/event/answers/event-type-answer.ts";
import { deliveryAnswer } from "../../domain/webhook/answers/delivery-answer.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { accountReference } from "../accounts/answers.ts";

/** A delivery as the desk sees it, with its account. */
export const deskDeliveryAnswer = deliveryAnswer
  .extend({ account: accountReference })
  .meta({ id: "DeskWebhookDelivery", description: "A webhook of any account" });

export const ENDPOINT_STATES = ["ok", "failing", "paused"] as const;

/** A webhook endpoint as the desk sees it; its secret is never shown. */
export const deskEndpointAnswer = z
  .object({
    id: idText("The endpoint's id"),
    account: accountReference,
    url: z.string().meta({
      description: "Where events are sent",
      examples: ["https://hooks.example.com/porting"],
    }),
    description: z.string().nullable().meta({ description: "The customer's own words for it" }),
    enabled_events: z
      .array(eventType)
      .meta({ description: "The types of events that are sent; empty for all" }),
    max_per_second: z
      .int()
      .nullable()
      .meta({ description: "The most webhooks a second; null for no limit", examples: [null] }),
    status: z.enum(ENDPOINT_STATES).meta({
      description:
        "`failing`: its latest attempt failed; `paused`: nothing is sent, by the customer's or the system's decision",
    }),
    active: z.boolean().meta({ description: "False while it is paused" }),
    paused_by: z.enum(["customer", "system"]).nullable().meta({ description: "Who paused it" }),
    paused_reason: z.string().nullable().meta({ description: "Why the system paused it" }),
    failing_since: timeText(
      "When the first of its failures since the last success was; null if none",
    )
      .nullable()
      .meta({ examples: [null] }),
    consecutive_failures: z.int().meta({
      description: "Failed attempts since the last success, or since it was last made active",
      examples: [0],
    }),
    last_success_at: timeText("When a delivery last succeeded").nullable(),
    last_failure_at: timeText("When an attempt last failed").nullable(),
    oldest_undelivered: z
      .object({
        delivery_id: idText("The delivery's id"),
        created_at: timeText("Since when it waits"),
      })
      .nullable()
      .meta({ description: "The delivery that waits longest; null if none does" }),
    last_error: z
      .object({
        delivery_id: idText("The delivery's id"),
        at: timeText("When the attempt was made"),
        response_code: z
          .int()
          .nullable()
          .meta({ description: "The receiver's HTTP status; null if there was none" }),
        code: z.string().meta({ description: "Why, for programs", examples: ["http_error"] }),
        message: z.string().meta({
          description: "Why, for people",
          examples: ["The receiver responded with a status other than 2xx."],
        }),
      })
      .nullable()
      .meta({ description: "The latest failed attempt that is logged", examples: [null] }),
    created_at: timeText("When it was created"),
    updated_at: timeText("When it last changed"),
  })
  .meta({ id: "DeskWebhookEndpoint", description: "A webhook endpoint of any account" });
