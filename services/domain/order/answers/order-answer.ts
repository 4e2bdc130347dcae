import { z } from "zod";

import {
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../../platform/http/routing/answer-fields.ts";
import { NUMBER_TYPES } from "../../countries/number-type.ts";
import { requirementAnswer } from "../../requirement/answers/requirement-answer.ts";
import { ORDER_STATUSES } from "../rules/order.ts";
import { NEXT_ACTIONS } from "../rules/status-facts.ts";

const numberAnswer = z.object({
  phone_number: numberText(),
  status: z.enum(["pending", "activating", "active", "failed", "cancelled"]),
  failure_code: z
    .string()
    .nullable()
    .meta({ description: "Why the carrier could not port the number" }),
  activated_at: timeText().nullable(),
});

const exceptionAnswer = z.object({
  code: z
    .string()
    .nullable()
    .meta({ description: "A code of /v2/porting_exceptions", examples: ["pin_invalid"] }),
  detail: z.string().meta({ examples: ["The PIN does not match the losing carrier's records."] }),
  slug: z
    .string()
    .nullable()
    .meta({
      description: "The requirement that the exception concerns",
      examples: ["pin_passcode"],
    }),
  raised_by: z.enum(["desk", "carrier"]),
  raised_at: timeText(),
});

const closedReasonAnswer = z.object({
  code: z
    .string()
    .nullable()
    .meta({
      description:
        "A code of /v2/porting_exceptions if the carrier ended the order; draft_expired or rejection_expired if time did; null if a person did",
      examples: ["number_not_portable"],
    }),
  detail: z.string().meta({ examples: ["This number stays where it is."] }),
  raised_by: z.enum(["customer", "desk", "carrier", "system"]),
});

const nextActionAnswer = z.object({
  actor: z.enum(["customer", "desk", "carrier", "none"]),
  action: z.enum(NEXT_ACTIONS),
  due_at: timeText(
    "When something happens by itself: the expiry of a draft or rejection, the desk's due time in review, the port date once it is confirmed",
  ).nullable(),
});

/** A porting order as the APIs return it (docs/contract/customer-api.md, Porting orders). */
export const orderAnswer = z
  .object({
    id: idText(),
    batch_id: idText("Shared by all orders of one request"),
    status: z.enum(ORDER_STATUSES),
    closed_by: z
      .enum(["customer", "provider", "ops"])
      .nullable()
      .meta({ description: "Who closed a cancelled order" }),
    provider_status: z.string().meta({
      description: "The carrier's own status, unchanged; empty until there is one",
      examples: [""],
    }),
    country_code: z.string().meta({ examples: ["US"] }),
    number_type: z.enum(NUMBER_TYPES),
    customer_reference: z.string().meta({ examples: ["first port"] }),
    requirements_status: z.boolean().meta({
      examples: [false],
      description:
        "Every mandatory requirement has a value and passed its checks, and none is in exception",
    }),
    foc_requested: offsetTimeText("The requested port date").nullable(),
    foc_actual: offsetTimeText("The port date that the carrier confirmed")
      .nullable()
      .meta({ examples: [null] }),
    phone_numbers: z.array(numberText()),
    webhook_url: z.string().nullable(),
    losing_carrier: z
      .string()
      .nullable()
      .meta({ examples: ["Example Bell"] }),
    requirements: z.array(requirementAnswer).min(1),
    numbers: z.array(numberAnswer).min(1),
    exceptions: z
      .array(exceptionAnswer)
      .meta({ description: "The open exceptions", examples: [[]] }),
    closed_reason: closedReasonAnswer.nullable().meta({
      description: "Why the order ended, or why the rest of its numbers was not ported",
      examples: [null],
    }),
    next_action: nextActionAnswer.meta({ description: "Who has to act next, and how" }),
    created_at: timeText(),
    updated_at: timeText(),
    submitted_at: timeText().nullable(),
    closed_at: timeText().nullable(),
  })
  .meta({ id: "PortingOrder", description: "An order to port numbers to the platform" });

/** The response to creating orders. */
export const newOrdersAnswer = z.object({
  batch_id: idText(),
  data: z.array(orderAnswer).min(1),
});
