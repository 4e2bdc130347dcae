import type { Requirement } from "../order-types.ts";

export interface Address {
  readonly street: string;
  readonly locality: string;
  readonly area: string;
  readonly postalCode: string;
}

type Criteria = Pick<Requirement, "acceptance_criteria">;

export function countryOf({ acceptance_criteria: criteria = {} }: Criteria): string {
  const { country } = criteria;
  return typeof country === "string" ? country : "";
}

/** Whether addresses of the country name a state or region. */
export function hasArea({ acceptance_criteria: criteria = {} }: Criteria): boolean {
  return criteria["administrative_area_pattern"] !== undefined;
}

/** The lines of an address: street, locality, area and postal code, country. */
export function addressText(address: Address, country: string): string {
  const { street, locality, area, postalCode } = address;
  const third = [area, postalCode].map((text) => text.trim()).filter((text) => text !== "");
  return [street.trim(), locality.trim(), third.join(" "), country].join("\n");
}

export function readAddress(requirement: Criteria & Pick<Requirement, "field_value">): Address {
  const [street = "", locality = "", third = ""] = (requirement.field_value ?? "").split("\n");
  const [first = "", ...others] = third.split(" ");
  return hasArea(requirement)
    ? { street, locality, area: first, postalCode: others.join(" ") }
    : { street, locality, area: "", postalCode: third };
}
