import { z } from "zod";
import { systemClock } from "../../../platform/clock.ts";
import {
  countryText,
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../../platform/http/routing/answer-fields.ts";
import { numberConfigurationAnswer } from "../../number/answers/number-answer.ts";
import { numberType } from "../../number/answers/number-fields.ts";
import {
  presentRequirement,
  requirementAnswer,
} from "../../requirement/answers/requirement-answer.ts";
import { definitionOf } from "../../requirement/rules/catalogue.ts";
import { pendingChange } from "../rules/order-changes.ts";
import { nextActionOf, type DueTimes } from "../rules/next-action.ts";
import { ORDER_STATUSES, type Order } from "../rules/order.ts";
import { snapshotOf } from "../rules/order-messages.ts";
import { NEXT_ACTIONS } from "../rules/status-facts.ts";

export const orderStatusAnswer = z.enum(ORDER_STATUSES).meta({
  id: "PortingOrderStatus",
  description: "Where the order stands, whatever carrier is behind it",
});

const numberAnswer = z
  .object({
    phone_number: numberText("The number, in E.164"),
    status: z
      .enum(["pending", "activating", "active", "failed", "cancelled"])
      .meta({ description: "How far the port of this number is" }),
    failure_code: z
      .string()
      .nullable()
      .meta({ description: "Why the carrier could not port the number; null unless it failed" }),
    activated_at: timeText("When the number went live").nullable(),
  })
  .meta({ id: "PortingOrderNumber", description: "A number of a porting order" });

const exceptionAnswer = z
  .object({
    code: z
      .string()
      .nullable()
      .meta({
        description:
          "A code of /v2/porting_exceptions, or what the desk found wrong with a document: document_illegible, document_wrong, document_incomplete, document_unsigned, signer_mismatch, numbers_missing, document_too_old",
        examples: ["pin_invalid"],
      }),
    detail: z.string().meta({
      description: "What has to be corrected, for people",
      examples: ["The PIN does not match the losing carrier's records."],
    }),
    slug: z
      .string()
      .nullable()
      .meta({
        description: "The requirement that the exception concerns",
        examples: ["pin_passcode"],
      }),
    raised_by: z.enum(["desk", "carrier"]).meta({ description: "Who found it" }),
    raised_at: timeText("When it was found"),
  })
  .meta({ id: "OrderException", description: "What the desk or the losing carrier objected to" });

const closedReasonAnswer = z
  .object({
    code: z
      .string()
      .nullable()
      .meta({
        description:
          "A code of /v2/porting_exceptions if the carrier ended the order; draft_expired or rejection_expired if time did; null if a person did",
        examples: ["number_not_portable"],
      }),
    detail: z.string().meta({
      description: "Why, for people",
      examples: ["This number stays where it is."],
    }),
    raised_by: z
      .enum(["customer", "desk", "carrier", "system"])
      .meta({ description: "Who ended it" }),
  })
  .meta({ id: "ClosedReason", description: "Why an order ended" });

export const nextActionAnswer = z
  .object({
    actor: z
      .enum(["customer", "desk", "carrier", "none"])
      .meta({ description: "Who has to act next" }),
    action: z.enum(NEXT_ACTIONS).meta({ description: "What is to be done" }),
    due_at: timeText(
      "When something happens by itself: the expiry of a draft or rejection, the desk's due time in review, the port date once it is confirmed, or, of an earlier one than requested, when the carrier is asked for that again; null if nothing does",
    ).nullable(),
  })
  .meta({ id: "NextAction", description: "Who has to act next, and how" });

/** A porting order as the APIs return it (docs/contract/customer-api.md, Porting orders). */
export const orderAnswer = z
  .object({
    id: idText("The order's id"),
    batch_id: idText("Shared by all orders of one request"),
    status: orderStatusAnswer,
    closed_by: z
      .enum(["customer", "provider", "ops"])
      .nullable()
      .meta({ description: "Who closed a cancelled order" }),
    provider_status: z.string().meta({
      description: "The carrier's own status, unchanged; empty until there is one",
      examples: [""],
    }),
    country_code: countryText("Country of the numbers"),
    number_type: numberType,
    customer_reference: z.string().meta({
      description: "The customer's own reference; empty if none was given",
      examples: ["first port"],
    }),
    requirements_status: z.boolean().meta({
      examples: [false],
      description:
        "Every mandatory requirement has a value and passed its checks, and none is in exception",
    }),
    foc_requested: offsetTimeText("The requested port date").nullable(),
    foc_actual: offsetTimeText("The port date that the carrier confirmed")
      .nullable()
      .meta({ examples: [null] }),
    phone_numbers: z
      .array(numberText())
      .meta({ description: "The order's numbers in E.164, 1 to 1,000" }),
    webhook_url: z.string().nullable().meta({
      description: "Where this order's webhooks go instead of the account's endpoints",
    }),
    losing_carrier: z
      .string()
      .nullable()
      .meta({
        description: "The carrier that has the numbers now; null if unknown",
        examples: ["Example Bell"],
      }),
    requirements: z
      .array(requirementAnswer)
      .min(1)
      .meta({ description: "What the order asks for, with its values" }),
    numbers: z.array(numberAnswer).min(1).meta({ description: "Each number with its own status" }),
    exceptions: z
      .array(exceptionAnswer)
      .meta({ description: "The open exceptions", examples: [[]] }),
    closed_reason: closedReasonAnswer.nullable().meta({
      description: "Why the order ended, or why the rest of its numbers was not ported",
      examples: [null],
    }),
    next_action: nextActionAnswer,
    pending_change_id: idText("A change that the losing carrier has not answered yet")
      .nullable()
      .meta({ examples: [null] }),
    number_configuration: numberConfigurationAnswer
      .nullable()
      .optional()
      .meta({ description: "Null if there is none; of an order that is read alone" }),
    created_at: timeText("When the order was created"),
    updated_at: timeText("When the order last changed"),
    submitted_at: timeText("When the order was first submitted").nullable(),
    closed_at: timeText("When the order reached a final status").nullable(),
  })
  .meta({ id: "PortingOrder", description: "An order to port numbers to the platform" });

/** The response to creating orders. */
export const newOrdersAnswer = z
  .object({
    batch_id: idText("Shared by all orders of this request"),
    data: z
      .array(orderAnswer)
      .min(1)
      .meta({ description: "One order per country, number type and losing carrier" }),
    skipped: z
      .array(
        z.object({
          phone_number: z.string().meta({
            description: "The number, as sent",
            examples: ["+1212555"],
          }),
          code: z.string().meta({
            description: "Why it was not ordered: a code of a number's fault",
            examples: ["invalid_number"],
          }),
          detail: z.string().meta({
            description: "Why, for people",
            examples: ["The number is already active on the account."],
          }),
        }),
      )
      .optional()
      .meta({
        description: "The numbers that were not ordered; with `skip_invalid` alone",
        examples: [[]],
      }),
  })
  .meta({ id: "NewPortingOrders", description: "The orders that one request created" });

/** What grows with an order, so that lists leave it out. */
export const ORDER_PARTS = ["requirements", "numbers", "exceptions"] as const;

export type OrderPart = (typeof ORDER_PARTS)[number];

const ALL: ReadonlySet<OrderPart> = new Set(ORDER_PARTS);

/**
 * The order as the APIs return it (docs/contract/customer-api.md, Porting orders), with what happens by itself, and with
 * these of its parts. Put together by assignment, because spreads of so many fields take several times as long.
 */
export function presentOrder(
  order: Order,
  due: DueTimes,
  parts: ReadonlySet<OrderPart> = ALL,
): Record<string, unknown> {
  const { webhook_url, losing_carrier, closed_reason } = order;
  const { created_at, updated_at, submitted_at, closed_at } = order;
  const next_action = nextActionOf(order, due, systemClock.now());
  const pending_change_id = pendingChange(order)?.id ?? null;
  const own = { webhook_url, losing_carrier, closed_reason, next_action, pending_change_id };
  const times = { created_at, updated_at, submitted_at, closed_at };
  return Object.assign(snapshotOf(order), own, times, partsOf(order, parts));
}

function partsOf(order: Order, parts: ReadonlySet<OrderPart>): Record<string, unknown> {
  const { numbers, exceptions } = order;
  return {
    ...(parts.has("requirements") && { requirements: requirementsOf(order) }),
    ...(parts.has("numbers") && { numbers }),
    ...(parts.has("exceptions") && { exceptions }),
  };
}

function requirementsOf(order: Order): Record<string, unknown>[] {
  const phoneNumber = order.numbers[0]?.phone_number ?? "";
  return order.requirements.map((requirement) =>
    presentRequirement(requirement, definitionOf(order, requirement.slug), phoneNumber),
  );
}
