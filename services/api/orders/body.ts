import { z } from "zod";
import type { OrderPatch } from "../../domain/order/rules/decide-customer.ts";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";

const MAX_AHEAD_DAYS = 180;
const DAY_MS = 86_400_000;

/** The UTC offset is stored as sent; whether the date can be met is for the carrier to decide. */
const focRequested = z.iso.datetime({ offset: true, abort: true }).refine(
  (text) => {
    const ahead = Date.parse(text) - Date.now();
    return ahead > 0 && ahead <= MAX_AHEAD_DAYS * DAY_MS;
  },
  {
    error: `It must be in the future, at most ${MAX_AHEAD_DAYS} days ahead.`,
    params: { code: "date_out_of_range" },
  },
);

const customerReference = z.string().max(128);
const webhookUrl = z.string().max(2_048).nullable();

export const newOrderBody = z.strictObject({
  phone_numbers: z.array(z.string()).min(1).max(1_000),
  number_type: z.enum(NUMBER_TYPES).optional(),
  losing_carrier: z.string().min(1).max(64).optional(),
  customer_reference: customerReference.optional(),
  foc_requested: focRequested.optional(),
  webhook_url: webhookUrl.optional(),
});

export const patchOrderBody = z
  .strictObject({
    customer_reference: customerReference.optional(),
    webhook_url: webhookUrl.optional(),
    foc_requested: focRequested.nullable().optional(),
    remove_phone_numbers: z.array(z.string()).min(1).max(1_000).optional(),
  })
  .transform((patch): OrderPatch => {
    const { customer_reference, webhook_url, foc_requested, remove_phone_numbers } = patch;
    return {
      ...(customer_reference === undefined ? {} : { customer_reference }),
      ...(webhook_url === undefined ? {} : { webhook_url }),
      ...(foc_requested === undefined ? {} : { foc_requested }),
      ...(remove_phone_numbers === undefined ? {} : { remove_phone_numbers }),
    };
  });
