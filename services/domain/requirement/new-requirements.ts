import { profileOf } from "./catalogue.ts";
import { fieldTypeOf, maxAgeDaysOf } from "./requirement-definition.ts";
import type { OrderRequirement } from "./requirement.ts";

/** The fields of a new order of the kind, all empty; null where such numbers cannot be ported. */
export function newRequirements(
  countryCode: string,
  numberType: string,
): readonly OrderRequirement[] | null {
  const profile = profileOf(countryCode, numberType);
  if (profile === null) return null;
  return profile.map((definition) => ({
    slug: definition.slug,
    field_type: fieldTypeOf(definition),
    mandatory: definition.mandatory,
    status: "requirement-info-pending",
    exception_reason: null,
    has_value: false,
    shown_value: null,
    document_id: null,
    document_date: null,
    max_age_days: maxAgeDaysOf(definition),
    check_state: "none",
    check_code: null,
    check_detail: null,
    changed: false,
  }));
}
