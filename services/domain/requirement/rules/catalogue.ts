import { COUNTRIES } from "../../countries/countries.ts";
import type { RequirementDefinition } from "../../countries/fields/requirement-definition.ts";
import { NUMBER_TYPES, type NumberType } from "../../countries/number-type.ts";
import type { OrderRequirement } from "./requirement.ts";

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

/** Why numbers of a kind cannot be ported, and which can. */
export function unsupportedKind(kind: {
  readonly country_code: string;
  readonly number_type: string;
}): string {
  const { country_code: country, number_type: type } = kind;
  const types = ORDER_KINDS.filter((one) => one.country_code === country).map(
    (one) => one.number_type,
  );
  if (types.length > 0) {
    return `Numbers of ${country} and type ${type} cannot be ported yet; of ${country} these can: ${types.join(", ")}.`;
  }
  const countries = [...COUNTRIES.keys()].toSorted().join(", ");
  return `Numbers of country ${country} cannot be ported yet; those of these can: ${countries}.`;
}

/** By kind and slug, and by country and slug. */
const DEFINITIONS: ReadonlyMap<string, RequirementDefinition> = new Map(
  ORDER_KINDS.flatMap(({ country_code, number_type, profile }) =>
    profile.flatMap((field): [string, RequirementDefinition][] => [
      [`${country_code} ${number_type} ${field.slug}`, field],
      [`${country_code} ${field.slug}`, field],
    ]),
  ),
);

/** The requirements of an order of the kind, mandatory first; null if such numbers cannot be ported. */
export function profileOf(
  countryCode: string,
  numberType: string,
): readonly RequirementDefinition[] | null {
  return PROFILES.get(`${countryCode} ${numberType}`) ?? null;
}

/**
 * A requirement of an order of the kind; null if there is none with the slug. An order keeps what it asked for when it
 * was created, so a field that its kind no longer asks for is defined as in another kind of the country.
 */
export function definitionOf(
  kind: { readonly country_code: string; readonly number_type: string },
  slug: string,
): RequirementDefinition | null {
  const { country_code: country, number_type: type } = kind;
  const own = DEFINITIONS.get(`${country} ${type} ${slug}`);
  return own ?? DEFINITIONS.get(`${country} ${slug}`) ?? null;
}

/** The definition of a requirement, fixed when the order is created; shared by all orders with the same profile. */
export type AskedRequirement = Pick<
  OrderRequirement,
  "slug" | "scope" | "field_type" | "mandatory" | "unless" | "max_age_days"
>;

export function askedOf(requirement: OrderRequirement): AskedRequirement {
  const { slug, scope, field_type, mandatory, unless, max_age_days } = requirement;
  return { slug, scope, field_type, mandatory, unless, max_age_days };
}

/** A requirement without any input yet. Its fields are named, because a spread takes hundreds of times as long. */
export function untouched(asked: AskedRequirement): OrderRequirement {
  const { slug, scope, field_type, mandatory, unless, max_age_days } = asked;
  return {
    slug,
    scope,
    values: [],
    field_type,
    mandatory,
    unless,
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

/** The requirements as they are mandatory now: what another's value makes unnecessary is not, until that is cleared. */
export function asMandatoryNow(requirements: readonly OrderRequirement[]): OrderRequirement[] {
  return requirements.map((requirement) => {
    const { unless, mandatory } = requirement;
    if (unless === null) return requirement;
    const isNeeded = !requirements.some((one) => one.slug === unless && one.has_value);
    return isNeeded === mandatory ? requirement : { ...requirement, mandatory: isNeeded };
  });
}
