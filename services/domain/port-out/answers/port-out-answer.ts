import { z } from "zod";
import { optionalOrNull, textUpTo } from "../../../platform/http/body/fields.ts";
import {
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../../platform/http/routing/answer-fields.ts";
import {
  phoneNumbersOf,
  PORT_OUT_REJECT_CODES,
  PORT_OUT_STATUSES,
  type PortOut,
} from "../rules/port-out.ts";

/** The body of a rejection by a customer or the desk. */
export const portOutRejection = z.strictObject({
  code: z.enum(PORT_OUT_REJECT_CODES).meta({ description: "Why the port-out is rejected" }),
  reason: optionalOrNull(textUpTo(1_000, z.string().min(1))).meta({
    description: "The reason in words, for the gaining carrier; up to 1,000 characters",
  }),
});

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

/** The port-out as the APIs return it (docs/contract/customer-api.md, Numbers and port-outs). */
export function presentPortOut(portOut: Omit<PortOut, "account_id">): Record<string, unknown> {
  return {
    id: portOut.id,
    phone_numbers: phoneNumbersOf(portOut),
    status: portOut.status,
    gaining_carrier: portOut.gaining_carrier,
    requested_foc: portOut.requested_foc,
    foc_actual: portOut.foc_actual,
    decision_deadline: portOut.decision_deadline,
    decision: portOut.decision,
    provider_status: portOut.provider_status,
    created_at: portOut.created_at,
    updated_at: portOut.updated_at,
  };
}
