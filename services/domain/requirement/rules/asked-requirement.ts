import type { OrderRequirement } from "./requirement.ts";

/** The definition of a requirement, fixed when the order is created; shared by all orders with the same profile. */
export type AskedRequirement = Pick<
  OrderRequirement,
  "slug" | "field_type" | "mandatory" | "max_age_days"
>;

export function askedOf(requirement: OrderRequirement): AskedRequirement {
  const { slug, field_type, mandatory, max_age_days } = requirement;
  return { slug, field_type, mandatory, max_age_days };
}

/** A requirement without any input yet. Its fields are named, because a spread takes hundreds of times as long. */
export function untouched(asked: AskedRequirement): OrderRequirement {
  const { slug, field_type, mandatory, max_age_days } = asked;
  return {
    slug,
    field_type,
    mandatory,
    max_age_days,
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
