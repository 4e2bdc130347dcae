import type { Requirement } from "../orders/order-words.ts";
import { e164Of } from "./given-values.ts";
import { nameOfNumber, valuesOf } from "./number-values.ts";
import type { Fault } from "../languages/words.ts";
import { addressText, countryOf, partsOf, readAddress, type Address } from "./address.ts";

/** What was typed and not saved: by slug, of an address by `slug/part`, of a document's date by `slug/date`. */
export type Typed = Readonly<Record<string, string>>;

/** What is wrong, by the same names. */
export type Faults = Readonly<Record<string, Fault>>;

/** A secret, which is not left in the browser. */
const NOT_KEPT: ReadonlySet<string> = new Set(["pin_passcode"]);

/** Whether the tab may keep what is typed there until it is saved. */
export function isKept(name: string): boolean {
  const [slug = name] = name.split("/");
  return !NOT_KEPT.has(slug);
}

export function keptOf(typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => isKept(name)));
}

/** What the tab has kept; nothing where that is not of this page. */
export function readKept(text: string): Typed {
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== "object" || kept === null) return {};
    const texts = Object.entries(kept).filter((pair): pair is [string, string] => {
      return typeof pair[1] === "string";
    });
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}

/** Without the names of a field. */
export function without<T>(all: Readonly<Record<string, T>>, slug: string) {
  const others = Object.entries(all).filter(([name]) => !isOf(name, slug));
  return Object.fromEntries(others);
}

export function isOf(name: string, slug: string): boolean {
  return name === slug || name.startsWith(`${slug}/`);
}

/** A value that is shown in part only, and is typed again as a whole. */
export function isMasked({ field_value: value }: Pick<Requirement, "field_value">): boolean {
  return value?.includes("*") === true;
}

export function isPhoneNumber({ acceptance_criteria: criteria }: Requirement): boolean {
  return criteria?.["format"] === "E.164";
}

/** What a field shows before anything is typed. */
export function startOf(requirement: Pick<Requirement, "field_value">): string {
  return isMasked(requirement) ? "" : (requirement.field_value ?? "");
}

/** What is to be sent of a field: a new value, new ones by number, or null to empty it. */
export interface Change {
  readonly slug: string;
  readonly value: string | Readonly<Record<string, string | null>> | null;
}

interface Outcome {
  readonly change?: Change;
  readonly faults?: Faults;
}

const NEEDED: Fault = { code: "required", detail: "This is needed." };

/** An address as it is shown: what was saved, with what was typed since. */
export function shownAddress(requirement: Requirement, typed: Typed): Address {
  const saved = readAddress(requirement);
  const of = (part: keyof Address): string => typed[`${requirement.slug}/${part}`] ?? saved[part];
  return {
    street: of("street"),
    locality: of("locality"),
    area: of("area"),
    postalCode: of("postalCode"),
  };
}

/** What was typed into a field, compared with what was saved of it. */
function outcomeOf(requirement: Requirement, typed: Typed, country: string): Outcome {
  if (requirement.field_type === "document") return {};
  if (requirement.field_type === "address") return addressOutcome(requirement, typed);
  if (valuesOf(requirement).length > 0) return numbersOutcome(requirement, typed);
  const { slug, mandatory, field_value: saved } = requirement;
  const text = typed[slug]?.trim();
  if (text === undefined || text === startOf(requirement)) return {};
  if (text === "") {
    if (saved === null || isMasked(requirement)) return {};
    return mandatory ? { faults: { [slug]: NEEDED } } : { change: { slug, value: null } };
  }
  const value = isPhoneNumber(requirement) ? e164Of(text, country) : text;
  return value === saved ? {} : { change: { slug, value } };
}

function numbersOutcome(requirement: Requirement, typed: Typed): Outcome {
  const { slug, mandatory } = requirement;
  const changed: Record<string, string | null> = {};
  const faults: Record<string, Fault> = {};
  for (const value of valuesOf(requirement)) {
    const { phone_number: number, field_value: saved } = value;
    const text = typed[nameOfNumber(slug, number)]?.trim();
    if (text === undefined || text === startOf(value) || text === saved) continue;
    if (text !== "") changed[number] = text;
    else if (saved !== null && !isMasked(value)) {
      if (mandatory) faults[nameOfNumber(slug, number)] = NEEDED;
      else changed[number] = null;
    }
  }
  const isChanged = Object.keys(changed).length > 0;
  return { faults, ...(isChanged && { change: { slug, value: changed } }) };
}

function addressOutcome(requirement: Requirement, typed: Typed): Outcome {
  const { slug, mandatory, field_value: saved } = requirement;
  if (!Object.keys(typed).some((name) => isOf(name, slug))) return {};
  const address = shownAddress(requirement, typed);
  const country = countryOf(requirement);
  const parts = partsOf(country).map(({ part }) => part);
  const empty = parts.filter((part) => address[part].trim() === "");
  if (empty.length === parts.length && (saved === null || !mandatory)) {
    return saved === null ? {} : { change: { slug, value: null } };
  }
  if (empty.length > 0) {
    return { faults: Object.fromEntries(empty.map((part) => [`${slug}/${part}`, NEEDED])) };
  }
  const value = addressText(address, country);
  return value === saved ? {} : { change: { slug, value } };
}

interface Changes {
  readonly changes: readonly Change[];
  readonly faults: Faults;
}

/** What is to be sent of all fields, in the order's sequence, and what is wrong before it is sent. */
export function changesOf(
  requirements: readonly Requirement[],
  typed: Typed,
  country: string,
): Changes {
  const outcomes = requirements.map((requirement) => outcomeOf(requirement, typed, country));
  return {
    changes: outcomes.flatMap(({ change }) => (change === undefined ? [] : [change])),
    faults: Object.assign({}, ...outcomes.map(({ faults }) => faults)) as Faults,
  };
}
