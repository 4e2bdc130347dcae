import { z } from "zod";
import { countryCodeParameter } from "../../domain/number/answers/country-code-parameter.ts";
import { phoneNumberParameter } from "../../domain/number/answers/phone-number-field.ts";
import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";
import { instant, textUpTo, uuid, writtenText } from "../../platform/http/body/fields.ts";
import { pageQuery } from "../../platform/http/paging/paging.ts";

const text = () => textUpTo(128, z.string().min(1));

/** The filters of the desk's list of orders. */
export const orderListQuery = z.strictObject({
  ...pageQuery,
  q: writtenText(128)
    .optional()
    .meta({
      description:
        "A number in any form or its last 4 or more digits, a whole reference in any case, the id of an order or an account, or part of an account's name",
      examples: ["0123"],
    }),
  id: uuid().optional().describe("The order with this id"),
  account_id: uuid().optional().describe("Orders of this account"),
  batch_id: uuid().optional().describe("Orders of one request"),
  status: z.array(z.enum(ORDER_STATUSES)).optional().describe("Orders in any of these statuses"),
  provider: text()
    .optional()
    .meta({ description: "Orders of this provider", examples: ["manual"] }),
  losing_carrier: textUpTo(128, z.string().trim().min(1))
    .optional()
    .meta({
      description: "Orders from this carrier, by its whole name in any case",
      examples: ["Verizon"],
    }),
  country_code: countryCodeParameter("Orders for numbers of this country").optional(),
  customer_reference: text()
    .optional()
    .meta({ description: "Orders with exactly this reference", examples: ["first port"] }),
  phone_number: phoneNumberParameter("Orders with this number, in E.164").optional(),
  attention: z
    .enum(["true", "false"])
    .transform((given) => given === "true")
    .optional()
    .meta({
      description: "Orders that the desk has to look at, or those that it need not",
    }),
  foc_after: instant().optional().describe("Orders whose foc_actual is at or after this time"),
  foc_before: instant().optional().describe("Orders whose foc_actual is before this time"),
});

export type OrderListQuery = z.output<typeof orderListQuery>;
