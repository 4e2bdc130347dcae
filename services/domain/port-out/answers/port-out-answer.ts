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
    id: idText("The port-out's id"),
    phone_numbers: z.array(numberText()).meta({ description: "The requested numbers in E.164" }),
    status: z
      .enum(PORT_OUT_STATUSES)
      .meta({ id: "PortOutStatus", description: "Where the port-out stands" }),
    gaining_carrier: z.string().meta({
      description: "The carrier that asks for the numbers",
      examples: ["Example Mobile"],
    }),
    requested_foc: offsetTimeText("The port date that the gaining carrier asked for"),
    foc_actual: offsetTimeText("The confirmed port date")
      .nullable()
      .meta({ examples: [null] }),
    decision_deadline: timeText("When the port-out proceeds without a decision")
      .nullable()
      .meta({ examples: ["2026-03-03T14:00:00.000Z"] }),
    decision: z
      .object({
        by: z
          .enum(["customer", "ops", "system"])
          .meta({ description: "Who decided; `ops` is the porting desk" }),
        at: timeText("When it was decided"),
        code: z
          .enum(PORT_OUT_REJECT_CODES)
          .nullable()
          .meta({ description: "Why it was rejected; null if it was approved" }),
        reason: z
          .string()
          .nullable()
          .meta({ description: "The reason in words, if one was given" }),
      })
      .nullable()
      .meta({ description: "The decision; null until there is one" }),
    provider_status: z
      .string()
      .nullable()
      .meta({ description: "The carrier's own status, unchanged; null until there is one" }),
    created_at: timeText("When the request arrived"),
    updated_at: timeText("When the port-out last changed"),
  })
  .meta({ id: "PortOut", description: "Another carrier's request for numbers of the account" });
