import { z } from "zod";

import {
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../../platform/http/routing/answer-fields.ts";
import { NUMBER_TYPES } from "../../countries/number-type.ts";
import { NUMBER_STATUSES } from "../rules/platform-number.ts";

/** A number on the platform (docs/contract/customer-api.md, Numbers and port-outs). */
export const platformNumberAnswer = z
  .object({
    phone_number: numberText(),
    status: z.enum(NUMBER_STATUSES),
    country_code: z.string().meta({ examples: ["US"] }),
    number_type: z.enum(NUMBER_TYPES),
    provider: z
      .string()
      .meta({ description: "The provider that hosts the number", examples: ["sandbox"] }),
    porting_order_id: idText("The order that ported the number in").nullable(),
    activated_at: timeText(),
    forwarding: z
      .object({
        primary: numberText(),
        fallback: numberText().nullable(),
        handled_by: z.enum(["platform", "carrier"]),
      })
      .nullable(),
    port_out_lock: z.boolean().meta({ examples: [false] }),
    port_out_pin_set: z.boolean().meta({ examples: [false] }),
  })
  .meta({ id: "Number" });

/** Whether a number can be ordered now. */
export const portabilityCheckAnswer = z
  .object({
    phone_number: numberText("The number as sent"),
    portable: z.boolean(),
    country_code: z
      .string()
      .nullable()
      .meta({ examples: ["US"] }),
    number_type: z
      .enum(NUMBER_TYPES)
      .nullable()
      .meta({ examples: ["local"] }),
    losing_carrier: z
      .string()
      .nullable()
      .meta({ examples: ["Example Bell"] }),
    reason: z
      .enum(["invalid_number", "country_not_supported", "already_active", "number_in_active_order"])
      .nullable(),
    earliest_foc: offsetTimeText().nullable(),
  })
  .meta({ id: "PortabilityCheck" });
