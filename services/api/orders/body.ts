import { z } from "zod";
import type { OrderPatch } from "../../domain/order/rules/decide-customer.ts";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import { optionalOrNull, textUpTo, writtenText } from "../../platform/http/body/fields.ts";
import { focDescription, focRequested } from "./foc-requested.ts";
import { INVALID_NUMBER } from "./number-faults.ts";
import { MAX_URL_LENGTH } from "../../platform/net/url-rules.ts";

export const MAX_REFERENCE = 128;
export const MAX_CARRIER = 64;

const customerReference = textUpTo(MAX_REFERENCE);
const referenceMeta = {
  description: `The customer's own reference, up to ${MAX_REFERENCE} characters`,
  examples: ["first port"],
};
const webhookUrl = textUpTo(MAX_URL_LENGTH).nullable().meta({
  description:
    "Where this order's webhooks go instead of the account's endpoints: HTTPS, up to 2,048 characters",
});

/** A fault of its own for each number, whatever it is; the others are found by its numbering plan. */
const requestedNumber = z
  .custom<string>((number) => typeof number === "string", {
    error: INVALID_NUMBER.detail,
    params: { code: INVALID_NUMBER.code },
  })
  .meta({ type: "string" });

/** Numbers to port, or to remove. */
const numbers = (what: string, number: z.ZodType<string> = z.string()) =>
  z
    .array(number)
    .min(1)
    .max(1_000)
    .meta({ description: `${what}: 1 to 1,000 in E.164`, examples: [["+12125550123"]] });

export const newOrderBody = z
  .strictObject({
    phone_numbers: numbers("The numbers to port", requestedNumber),
    number_type: optionalOrNull(z.enum(NUMBER_TYPES)).meta({
      description:
        "The type of numbers whose plan does not determine it, as in the US and Canada; `local` unless given",
    }),
    losing_carrier: optionalOrNull(writtenText(MAX_CARRIER)).meta({
      description: `The carrier that has the numbers now, up to ${MAX_CARRIER} characters; looked up by prefix unless given`,
    }),
    customer_reference: optionalOrNull(customerReference).meta(referenceMeta),
    foc_requested: optionalOrNull(focRequested).describe(focDescription),
    webhook_url: webhookUrl.optional(),
  })
  .meta({ examples: [{ phone_numbers: ["+12125550143"], customer_reference: "first port" }] });

export const patchOrderBody = z
  .strictObject({
    customer_reference: customerReference.optional().meta(referenceMeta),
    webhook_url: webhookUrl.optional(),
    foc_requested: focRequested.nullable().optional().describe(focDescription),
    remove_phone_numbers: numbers("Numbers to take out of the order").optional(),
  })
  .meta({ examples: [{ customer_reference: "second port" }] })
  .transform((patch): OrderPatch => {
    const { customer_reference, webhook_url, foc_requested, remove_phone_numbers } = patch;
    return {
      ...(customer_reference === undefined ? {} : { customer_reference }),
      ...(webhook_url === undefined ? {} : { webhook_url }),
      ...(foc_requested === undefined ? {} : { foc_requested }),
      ...(remove_phone_numbers === undefined ? {} : { remove_phone_numbers }),
    };
  });
