import { faultAt, type CarrierRuleFault } from "../../domain/carrier/rules/carrier-faults.ts";
import type { Order } from "../../domain/order/rules/order.ts";

/** The fault of a requirement that an operator names and the order does not have; `path` is where it was named. */
export function findUnknownSlug(
  { requirements }: Pick<Order, "requirements">,
  slug: string | null,
  path: string,
): CarrierRuleFault | null {
  const slugs = requirements.map((one) => one.slug);
  if (slug === null || slugs.includes(slug)) return null;
  const detail = `The order has no such requirement; it has ${slugs.join(", ")}.`;
  return faultAt(path, "unknown_slug", detail);
}
