import { z } from "zod";

import {
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../../platform/http/routing/answer-fields.ts";
import { PORT_OUT_REJECT_CODES, PORT_OUT_STATUSES } from "../rules/port-out.ts";

/** Another carrier's request for numbers (docs/contract/customer-api.md, Numbers and port-outs). */
export const portOutAnswer = z
  .object({
    id: idText(),
    phone_numbers: z.array(numberText()),
    status: z.enum(PORT_OUT_STATUSES),
    gaining_carrier: z.string().meta({ examples: ["Example Mobile"] }),
    requested_foc: offsetTimeText(),
    foc_actual: offsetTimeText()
      .nullable()
      .meta({ examples: [null] }),
    decision_deadline: timeText("When the port-out proceeds without a decision")
      .nullable()
      .meta({ examples: ["2026-03-03T14:00:00.000Z"] }),
    decision: z
      .object({
        by: z.enum(["customer", "ops", "system"]),
        at: timeText(),
        code: z.enum(PORT_OUT_REJECT_CODES).nullable(),
        reason: z.string().nullable(),
      })
      .nullable(),
    provider_status: z.string().nullable(),
    created_at: timeText(),
    updated_at: timeText(),
  })
  .meta({ id: "PortOut" });
