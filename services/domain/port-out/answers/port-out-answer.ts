import { z } from "zod";
import { optionalOrNull, textUpTo } from "../../../platform/http/body/fields.ts";
import {
  idText,
  listOf,
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
import type { Requester } from "../rules/requester.ts";

/** The body of a rejection by a customer or the desk. */
export const portOutRejection = z.strictObject({
  code: z.enum(PORT_OUT_REJECT_CODES).meta({ description: "Why the port-out is rejected" }),
  reason: optionalOrNull(textUpTo(1_000, z.string().min(1))).meta({
    description: "The reason in words, for the gaining carrier; up to 1,000 characters",
  }),
});

function stated(description: string, example: string) {
  return z
    .string()
    .nullable()
    .meta({ description, examples: [example] });
}

/** The codes for rejecting one port-out. */
export const rejectionCodesAnswer = listOf(
  z
    .object({
      code: z.enum(PORT_OUT_REJECT_CODES).meta({ description: "The code of a rejection" }),
      title: z.string().meta({ description: "What it says", examples: ["Subscriber differs"] }),
      reason_required: z.boolean().meta({ description: "Whether a reason in words is needed" }),
      allowed: z.boolean().meta({
        description: "False where the numbers show that it is not so: rejecting with it is refused",
      }),
    })
    .meta({ id: "PortOutRejectionCode", description: "A code for rejecting the port-out" }),
);

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
    requester: z
      .object({
        pon: stated("The gaining carrier's order number (PON)", "PON-4711"),
        spid: stated("The gaining carrier's service provider id", "1234"),
        account_number: stated("The stated account number; only its end is shown", "****0210"),
        postal_code: stated("The stated postal code", "10001"),
        subscriber_name: stated("The stated account holder", "Acme Dental LLC"),
        service_address: stated("The stated service address", "1 Main Street, New York"),
        authorized_name: stated("Who is said to have authorized it", "Jane Doe"),
      } satisfies Record<keyof Requester, z.ZodType>)
      .nullable()
      .meta({
        id: "PortOutRequester",
        description: "What the gaining carrier states of its customer; null if nothing",
      }),
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
export function presentPortOut(
  portOut: Omit<PortOut, "account_id"> & { readonly requester: Requester | null },
): Record<string, unknown> {
  return {
    id: portOut.id,
    phone_numbers: phoneNumbersOf(portOut),
    status: portOut.status,
    gaining_carrier: portOut.gaining_carrier,
    requested_foc: portOut.requested_foc,
    foc_actual: portOut.foc_actual,
    requester: portOut.requester,
    decision_deadline: portOut.decision_deadline,
    decision: portOut.decision,
    provider_status: portOut.provider_status,
    created_at: portOut.created_at,
    updated_at: portOut.updated_at,
  };
}
