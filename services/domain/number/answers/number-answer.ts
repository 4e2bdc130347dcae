import { z } from "zod";

import {
  countryText,
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../../platform/http/routing/answer-fields.ts";
import { NUMBER_STATUSES } from "../rules/platform-number.ts";
import { numberType } from "./number-fields.ts";

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
    porting_order_id: idText("The order that ported the number in").nullable(),
    activated_at: timeText("When the number went live on the platform"),
    forwarding: z
      .object({
        primary: numberText("Where calls go first, in E.164"),
        fallback: numberText(
          "Where calls go that the primary does not answer, in E.164",
        ).nullable(),
        handled_by: z.enum(["platform", "carrier"]).meta({ description: "Who forwards the calls" }),
      })
      .meta({ id: "Forwarding", description: "Where calls to the number go" })
      .nullable(),
    port_out_lock: z.boolean().meta({
      description: "Whether every port-out of the number is rejected",
      examples: [false],
    }),
    port_out_pin_set: z.boolean().meta({
      description: "Whether a port-out has to state a PIN; the PIN itself is never shown",
      examples: [false],
    }),
  })
  .meta({ id: "Number", description: "A number on the platform" });

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
    earliest_foc: offsetTimeText(
      "The earliest port date if the order were submitted now, in the country's own time",
    ).nullable(),
  })
  .meta({ id: "PortabilityCheck", description: "Whether a number can be ordered now" });
