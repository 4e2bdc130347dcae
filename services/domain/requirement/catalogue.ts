import { US_LOCAL } from "./catalogue/us.ts";
import type { RequirementDefinition } from "./requirement-definition.ts";

const PROFILES: ReadonlyMap<string, readonly RequirementDefinition[]> = new Map([
  ["US local", US_LOCAL],
]);

/** What an order of the kind asks for, mandatory first; null where such numbers cannot be ported. */
export function profileOf(
  countryCode: string,
  numberType: string,
): readonly RequirementDefinition[] | null {
  return PROFILES.get(`${countryCode} ${numberType}`) ?? null;
}

/** A field of an order of the kind; null where it has none of the name. */
export function definitionOf(
  kind: { readonly country_code: string; readonly number_type: string },
  slug: string,
): RequirementDefinition | null {
  const profile = profileOf(kind.country_code, kind.number_type) ?? [];
  return profile.find((definition) => definition.slug === slug) ?? null;
}
