import { z } from "zod";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import { countryCodeParameter } from "../../domain/number/answers/country-code-parameter.ts";
import { phoneNumberParameter } from "../../domain/number/answers/phone-number-field.ts";
import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";
import { instant, textUpTo, uuid } from "../../platform/http/body/fields.ts";
import { pageQuery } from "../../platform/http/paging/paging.ts";
import { includeParameter } from "./answers.ts";
import { MAX_CARRIER, MAX_REFERENCE } from "./body.ts";

/** The filters of the list of orders; a value that no order can have is refused. */
export const orderListQuery = z.strictObject({
  ...pageQuery,
  status: z.array(z.enum(ORDER_STATUSES)).optional().describe("Orders in any of these statuses"),
  customer_reference: textUpTo(MAX_REFERENCE)
    .optional()
    .meta({ description: "Orders with exactly this reference", examples: ["first port"] }),
  phone_number: phoneNumberParameter("Orders with this number, in E.164").optional(),
  batch_id: uuid().optional().describe("Orders of one request"),
  country_code: countryCodeParameter("Orders for numbers of this country").optional(),
  number_type: z.enum(NUMBER_TYPES).optional().describe("Orders for numbers of this type"),
  losing_carrier: textUpTo(MAX_CARRIER, z.string().trim().min(1))
    .optional()
    .meta({
      description: "Orders from this carrier, by its whole name in any case",
      examples: ["Verizon"],
    }),
  foc_after: instant().optional().describe("Orders whose foc_actual is at or after this time"),
  foc_before: instant().optional().describe("Orders whose foc_actual is before this time"),
  include: includeParameter,
});

export type OrderListQuery = z.output<typeof orderListQuery>;
