import { COUNTRIES } from "../../countries/find-country.ts";
import type { RequirementDefinition } from "../../countries/fields/requirement-definition.ts";
import { NUMBER_TYPES, type NumberType } from "../../countries/number-type.ts";

/** A kind of order that can be created, and its requirements. */
export interface OrderKind {
  readonly country_code: string;
  readonly number_type: NumberType;
  readonly profile: readonly RequirementDefinition[];
}

/** Every kind of order that can be created. */
export const ORDER_KINDS: readonly OrderKind[] = [...COUNTRIES].flatMap(
  ([country_code, { types }]) =>
    NUMBER_TYPES.flatMap((number_type) => {
      const profile = types[number_type]?.requirements;
      return profile === undefined ? [] : [{ country_code, number_type, profile }];
    }),
);

const PROFILES: ReadonlyMap<string, readonly RequirementDefinition[]> = new Map(
  ORDER_KINDS.map((kind) => [`${kind.country_code} ${kind.number_type}`, kind.profile]),
);

/** The requirements of an order of the kind, mandatory first; null if such numbers cannot be ported. */
export function profileOf(
  countryCode: string,
  numberType: string,
): readonly RequirementDefinition[] | null {
  return PROFILES.get(`${countryCode} ${numberType}`) ?? null;
}

/** A requirement of an order of the kind; null if it has none with the slug. */
export function definitionOf(
  kind: { readonly country_code: string; readonly number_type: string },
  slug: string,
): RequirementDefinition | null {
  const profile = profileOf(kind.country_code, kind.number_type) ?? [];
  return profile.find((definition) => definition.slug === slug) ?? null;
}
