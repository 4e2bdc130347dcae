import { z } from "zod";
import { orderStatusAnswer } from "../../domain/order/answers/order-answer.ts";
import { REQUEST_KINDS } from "../../domain/carrier/rules/provider.ts";
import { STATUS_UPDATE_KINDS } from "../../domain/order/rules/status-update.ts";
import {
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../platform/http/routing/answer-fields.ts";
import { accountReference } from "../accounts/answers.ts";

const lastUpdate = z
  .object({
    at: timeText("When its latest status update was received"),
    porting_order_id: idText("The order that it was about").nullable(),
  })
  .nullable()
  .meta({ description: "The latest status update; null if none is known", examples: [null] });

const rejections = z
  .array(
    z.object({
      code: z
        .string()
        .nullable()
        .meta({ description: "A code of /v2/porting_exceptions", examples: ["pin_invalid"] }),
      count: z.int().meta({ description: "How many in the last 90 days" }),
    }),
  )
  .meta({
    description: "Rejections and refusals of the last 90 days by code, the most frequent first",
    examples: [[]],
  });

/** An order that a person has to call the carrier about. */
const waitingOrder = z
  .object({
    id: idText("The order's id"),
    account: accountReference,
    status: orderStatusAnswer,
    provider: z.string().meta({ description: "The order's provider", examples: ["manual"] }),
    losing_carrier: z
      .string()
      .nullable()
      .meta({ description: "The carrier to call; null if unknown", examples: ["Example Bell"] }),
    customer_reference: z.string().meta({
      description: "The customer's own reference; empty if none was given",
      examples: ["first port"],
    }),
    first_number: numberText("The first of its numbers, in E.164"),
    numbers_count: z.int().min(1).meta({ description: "How many numbers the order has" }),
    foc_actual: offsetTimeText("The port date that the carrier confirmed")
      .nullable()
      .meta({ examples: [null] }),
    reason: z.string().meta({
      description: "Why a call is needed",
      examples: ["The carrier has not answered. The request was sent again."],
    }),
    waiting_since: timeText("Since when it waits"),
  })
  .meta({ id: "OrderToCall", description: "An order that a person has to call the carrier about" });

const figures = {
  last_word: lastUpdate,
  open_orders: z.int().meta({ description: "Its orders that have not ended" }),
  rejections,
  orders_to_call_count: z.int().meta({ description: "How many orders wait for a call" }),
  orders_to_call: z.array(waitingOrder).meta({
    description:
      "Orders that wait for a call, the longest waiting first, at most 50: those that wait for a carrier without an integration, and those whose carrier is silent or late",
    examples: [[]],
  }),
};

const openNow = z
  .boolean()
  .meta({ description: "Whether it is staffed now, by its business hours" });

const businessHours = z
  .object({
    time_zone: z.string().meta({
      description: "The IANA time zone of `from` and `to`",
      examples: ["America/New_York"],
    }),
    days: z.array(z.int()).meta({ description: "1 (Monday) to 7", examples: [[1, 2, 3, 4, 5]] }),
    from: z.string().meta({ description: "When it opens, as HH:MM", examples: ["08:00"] }),
    to: z.string().meta({ description: "When it closes, as HH:MM", examples: ["17:00"] }),
  })
  .meta({ description: "When it is staffed, as its file says; public holidays are not left out" });

const contact = z
  .object({
    name: z
      .string()
      .nullable()
      .meta({ description: "Whom to ask for", examples: ["LNP desk"] }),
    phone: z
      .string()
      .nullable()
      .meta({ description: "The number to call", examples: ["+12125550199"] }),
    email: z
      .string()
      .nullable()
      .meta({ description: "Where to write to", examples: ["lnp@carrier.example"] }),
    url: z
      .string()
      .nullable()
      .meta({ description: "Its portal", examples: ["https://portal.carrier.example"] }),
    notes: z.string().nullable().meta({ description: "What one has to know before a call" }),
  })
  .nullable()
  .meta({ description: "How its people are reached; null if its file does not say" });

/** A provider: its file, and how its orders stand. */
export const providerAnswer = z
  .object({
    name: z.string().meta({ description: "The name of its file", examples: ["manual"] }),
    title: z.string().meta({
      description: "What it is, for people",
      examples: ["A GB porting gateway"],
    }),
    capabilities: z
      .array(z.enum(REQUEST_KINDS))
      .meta({ description: "The requests that its integration takes" }),
    statuses: z
      .array(
        z.object({
          raw_status: z
            .string()
            .meta({ description: "The carrier's own status text", examples: ["FOC"] }),
          kind: z.enum(STATUS_UPDATE_KINDS).meta({ description: "What it means here" }),
        }),
      )
      .meta({ description: "The statuses that its table knows" }),
    codes: z
      .array(
        z.object({
          raw_code: z.string().meta({ description: "Its own code", examples: ["PIN_MISMATCH"] }),
          code: z
            .string()
            .meta({ description: "A code of /v2/porting_exceptions", examples: ["pin_invalid"] }),
        }),
      )
      .meta({ description: "Its codes and the canonical ones; these are always taken too" }),
    business_hours: businessHours,
    open_now: openNow,
    contact,
    carriers: z
      .array(z.string().meta({ examples: ["O2"] }))
      .meta({ description: "The carriers that the directory assigns to it", examples: [["O2"]] }),
    ...figures,
  })
  .meta({ id: "Provider", description: "A provider: its file, and how its orders stand" });

/** A losing carrier of the directory. */
export const carrierAnswer = z
  .object({
    name: z.string().meta({ description: "Its name in the directory", examples: ["Verizon"] }),
    provider: z
      .string()
      .nullable()
      .meta({
        description: "The provider that ports from it; null for the deployment's default",
        examples: [null],
      }),
    prefixes: z
      .array(z.string().meta({ examples: ["+1212736"] }))
      .meta({ description: "The numbers that it has, by prefix", examples: [["+1212736"]] }),
    business_hours: businessHours
      .nullable()
      .meta({ description: "Those of its provider; null for the deployment's default" }),
    open_now: openNow.nullable(),
    contact,
    ...figures,
  })
  .meta({ id: "Carrier", description: "A losing carrier of the directory" });

/** A whole directory in one page. */
export function wholeListOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).meta({ description: "All of them, by name" }),
    has_more: z.literal(false).meta({ description: "Always false: it is one page" }),
  });
}
