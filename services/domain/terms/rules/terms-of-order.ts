import type { CarrierRequest } from "../../../messages/generated/carrier-request.ts";
import type { Order } from "../../order/rules/order.ts";
import { portTermsOf, type PortTerms, type TermsOf } from "./port-date.ts";

type DatedOrder = Pick<Order, "provider" | "country_code" | "number_type"> & {
  readonly numbers: readonly Pick<Order["numbers"][number], "phone_number">[];
  readonly requirements: readonly Pick<Order["requirements"][number], "slug" | "shown_value">[];
};

/**
 * The terms of an order as it is, or as it would be with the values that a request gives by slug; null for a kind that
 * cannot be ordered any more.
 */
export function termsOfOrder(
  termsOf: TermsOf,
  order: DatedOrder,
  given: Readonly<Record<string, unknown>> = {},
): PortTerms | null {
  const { provider, country_code, number_type, numbers, requirements } = order;
  const values = new Map(requirements.map(({ slug, shown_value }) => [slug, shown_value]));
  for (const [slug, value] of Object.entries(given)) {
    if (typeof value === "string") values.set(slug, value.trim());
  }
  return portTermsOf(termsOf, {
    ...{ provider, country_code, number_type },
    phone_number: numbers[0]?.phone_number ?? "",
    numbers: numbers.length,
    values,
  });
}

type AskedOrder = Pick<
  CarrierRequest,
  "provider" | "country_code" | "number_type" | "phone_numbers" | "requirements"
>;

/** The terms of the order that a carrier is asked to port; null where the request does not say its kind. */
export function termsOfRequest(termsOf: TermsOf, request: AskedOrder): PortTerms | null {
  const { provider, country_code, number_type, requirements } = request;
  const numbers = request.phone_numbers ?? [];
  return portTermsOf(termsOf, {
    ...{ provider, country_code, number_type },
    phone_number: numbers[0] ?? "",
    numbers: numbers.length,
    values: new Map((requirements ?? []).map(({ slug, value }) => [slug, value])),
  });
}
