import type { Requirement } from "../orders/order-words.ts";
import type { Texts } from "../languages/words.ts";

/** The parts that are asked for, and where the service has each (docs/contract/customer-api.md, Porting orders). */
export type Part = "street" | "locality" | "area" | "postalCode";

export type Address = Readonly<Record<Part, string>>;

interface AskedPart {
  readonly part: Part;
  /** What people of the country call it. */
  readonly label: keyof Texts["address"];
}

const STREET: AskedPart = { part: "street", label: "street" };
const POSTAL_CODE: AskedPart = { part: "postalCode", label: "postal_code" };
const CITY: AskedPart = { part: "locality", label: "city" };
/** As on a letter of the continent: `10117 Berlin`. */
const CODE_BEFORE_CITY = [STREET, POSTAL_CODE, CITY];

/** In the order of the country's letters. */
const FORMS: Readonly<Record<string, readonly AskedPart[]>> = {
  AU: [
    STREET,
    { part: "locality", label: "suburb" },
    { part: "area", label: "state_or_territory" },
    { part: "postalCode", label: "postcode" },
  ],
  CA: [STREET, CITY, { part: "area", label: "province" }, POSTAL_CODE],
  DE: CODE_BEFORE_CITY,
  ES: CODE_BEFORE_CITY,
  FR: CODE_BEFORE_CITY,
  GB: [STREET, { part: "locality", label: "town" }, { part: "postalCode", label: "postcode" }],
  IE: [STREET, { part: "locality", label: "town" }, { part: "postalCode", label: "postcode" }],
  US: [STREET, CITY, { part: "area", label: "state" }, { part: "postalCode", label: "zip" }],
};

/** What an address of the country is asked for by. */
export function partsOf(country: string): readonly AskedPart[] {
  return FORMS[country] ?? CODE_BEFORE_CITY;
}

/** The states of countries whose addresses name one, by the letters that the service takes. */
const AREAS: Readonly<Record<string, string>> = {
  AU: "ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|TAS Tasmania|VIC Victoria|WA Western Australia",
  CA: "AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon",
  US: "AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|GU Guam|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|MP Northern Mariana Islands|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VI Virgin Islands|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming",
};

/** Letters and name of each; empty where an address is written without. */
export function areasOf(country: string): readonly (readonly [code: string, name: string])[] {
  const areas = AREAS[country];
  return (areas?.split("|") ?? []).map((area) => {
    const [code = "", ...name] = area.split(" ");
    return [code, name.join(" ")];
  });
}

type Asked = Pick<Requirement, "acceptance_criteria" | "field_value">;

/** The country of the address that was saved, or else that whose addresses the order takes. */
export function countryOf({
  acceptance_criteria: criteria = {},
  field_value: saved,
}: Asked): string {
  const { country, countries } = criteria;
  const last = saved?.split("\n").at(-1);
  if (last !== undefined && Array.isArray(countries) && countries.includes(last)) return last;
  return typeof country === "string" ? country : "";
}

/** The lines that the service has, as parts. */
export function readAddress(requirement: Asked): Address {
  const [street = "", locality = "", third = ""] = (requirement.field_value ?? "").split("\n");
  const isWithArea = areasOf(countryOf(requirement)).length > 0;
  const [area = "", ...code] = isWithArea ? third.split(" ") : ["", third];
  return { street, locality, area, postalCode: code.join(" ") };
}

/** The lines of an address: street, locality, area and postal code, country. */
export function addressText(address: Address, country: string): string {
  const { street, locality, area, postalCode } = address;
  const third = [area, postalCode].map((text) => text.trim()).filter((text) => text !== "");
  return [street.trim(), locality.trim(), third.join(" "), country].join("\n");
}

/** The part that a refusal of the whole is about. */
export function partOfFault(code: string, address: Address): Part {
  if (code === "invalid_postal_code") return "postalCode";
  if (code === "too_long" && address.locality.length > address.street.length) return "locality";
  return "street";
}
