import { untouched } from "../../domain/requirement/rules/asked-requirement.ts";
import { ORDER_KINDS } from "../../domain/requirement/rules/catalogue.ts";
import {
  fieldTypeOf,
  maxAgeDaysOf,
  type RequirementDefinition,
} from "../../domain/countries/fields/requirement-definition.ts";
import type { OrderRequirement } from "../../domain/requirement/rules/requirement.ts";

function emptyRequirement(definition: RequirementDefinition): OrderRequirement {
  return untouched({
    slug: definition.slug,
    field_type: fieldTypeOf(definition),
    mandatory: definition.mandatory,
    max_age_days: maxAgeDaysOf(definition),
  });
}

const NEW_REQUIREMENTS: ReadonlyMap<string, readonly OrderRequirement[]> = new Map(
  ORDER_KINDS.map(({ country_code, number_type, profile }) => [
    `${country_code} ${number_type}`,
    profile.map(emptyRequirement),
  ]),
);

/** The requirements of a new order of the kind, all empty; null if such numbers cannot be ported. */
export function newRequirements(
  countryCode: string,
  numberType: string,
): readonly OrderRequirement[] | null {
  return NEW_REQUIREMENTS.get(`${countryCode} ${numberType}`) ?? null;
}
