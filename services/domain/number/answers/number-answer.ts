import { z } from "zod";

import {
  countryText,
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../../platform/http/routing/answer-fields.ts";
import { NUMBER_STATUSES, RELEASE_REASONS } from "../rules/platform-number.ts";
import { numberType } from "./number-fields.ts";

function reference(of: string) {
  return z
    .string()
    .nullable()
    .meta({ description: `The customer's own reference of its ${of}`, examples: [null] });
}

export const forwardingAnswer = z
  .object({
    primary: numberText("Where calls go first, in E.164"),
    fallback: numberText("Where calls go that the primary does not answer, in E.164").nullable(),
    handled_by: z.enum(["platform", "carrier"]).meta({ description: "Who forwards the calls" }),
  })
  .meta({ id: "Forwarding", description: "Where calls to the number go" })
  .nullable();

/** A number on the platform (docs/contract/customer-api.md, Numbers and port-outs). */
export const platformNumberAnswer = z
  .object({
    phone_number: numberText("The number in E.164, which is also its id"),
    status: z
      .enum(NUMBER_STATUSES)
      .meta({ id: "NumberStatus", description: "Whether the number is on the platform" }),
    country_code: countryText("Country of the number"),
    number_type: numberType,
    provider: z
      .string()
      .meta({ description: "The provider that hosts the number", examples: ["sandbox"] }),
    source: z.enum(["ported", "imported"]).meta({
      id: "NumberSource",
      description: "Whether an order ported it in, or it was imported",
    }),
    porting_order_id: idText(
      "The order that ported the number in; null if it was imported",
    ).nullable(),
    activated_at: timeText("When the number went live"),
    release: z
      .object({
        reason: z.enum(RELEASE_REASONS).meta({ description: "Why it left without a port-out" }),
        at: timeText("When it left"),
      })
      .nullable()
      .meta({ id: "NumberRelease", description: "Why a `released` number left; else null" }),
    forwarding: forwardingAnswer,
    port_out_lock: z.boolean().meta({
      description: "Whether every port-out of the number is rejected",
      examples: [false],
    }),
    port_out_pin_set: z.boolean().meta({
      description: "Whether a port-out has to state a PIN; the PIN itself is never shown",
      examples: [false],
    }),
    tags: z
      .array(z.string().meta({ examples: ["sales"] }))
      .meta({ description: "The customer's labels" }),
    connection_ref: reference("connection"),
    messaging_ref: reference("messaging profile"),
    emergency_address_ref: reference("emergency address"),
  })
  .meta({ id: "Number", description: "A number on the platform" });

const shownSettings = platformNumberAnswer
  .pick({
    forwarding: true,
    port_out_lock: true,
    port_out_pin_set: true,
    tags: true,
    connection_ref: true,
    messaging_ref: true,
    emergency_address_ref: true,
  })
  .partial()
  .meta({ id: "NumberSettings", description: "Settings of numbers that are not live yet" });

/** How an order's numbers are set as they become active. */
export const numberConfigurationAnswer = z
  .object({
    default: shownSettings,
    numbers: z.record(z.string(), shownSettings).meta({
      description: "What single numbers have of their own, by number",
      examples: [{}],
    }),
  })
  .meta({
    id: "NumberConfiguration",
    description: "How the order's numbers are set at the moment in which each becomes active",
  });

/** Whether a number can be ordered now. */
export const portabilityCheckAnswer = z
  .object({
    phone_number: numberText("The number as sent"),
    portable: z.boolean().meta({ description: "Whether an order for it would be accepted now" }),
    country_code: countryText("Country of the number; null if it is invalid").nullable(),
    number_type: numberType.nullable(),
    losing_carrier: z
      .string()
      .nullable()
      .meta({
        description: "The carrier that has the number now; null if unknown",
        examples: ["Example Bell"],
      }),
    reason: z
      .enum(["invalid_number", "country_not_supported", "already_active", "number_in_active_order"])
      .nullable()
      .meta({ description: "Why the number cannot be ordered; null if it can" }),
    detail: z
      .string()
      .nullable()
      .meta({ description: "The reason in words, for people; null if there is none" }),
    earliest_foc: offsetTimeText(
      "The earliest port date of a new order of these numbers, which has no values yet, if it were submitted now, in the country's own time",
    ).nullable(),
  })
  .meta({ id: "PortabilityCheck", description: "Whether a number can be ordered now" });
