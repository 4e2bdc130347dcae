import type { OrderRequirement } from "./requirement.ts";

/** What is asked for, fixed when the order is created; the same for all orders with one profile. */
export type AskedRequirement = Pick<
  OrderRequirement,
  "slug" | "field_type" | "mandatory" | "max_age_days"
>;

export function askedOf(requirement: OrderRequirement): AskedRequirement {
  const { slug, field_type, mandatory, max_age_days } = requirement;
  return { slug, field_type, mandatory, max_age_days };
}

/** A requirement that nobody has written to. */
export function untouched(asked: AskedRequirement): OrderRequirement {
  return {
    ...asked,
    status: "requirement-info-pending",
    exception_reason: null,
    has_value: false,
    shown_value: null,
    document_id: null,
    document_date: null,
    check_state: "none",
    check_code: null,
    check_detail: null,
    changed: false,
  };
}
