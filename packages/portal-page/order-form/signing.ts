import { LETTER, type Order, type Requirement } from "../orders/order-words.ts";
import type { Fault } from "../languages/words.ts";
import { partsOf, countryOf } from "./address.ts";
import type { Faults, Typed } from "./changes.ts";
import { valuesOf } from "./number-values.ts";

/** What is typed to sign the letter, under the names of fields. */
export const SIGNER = "letter/name";
export const POSITION = "letter/position";
export const CONSENT = "letter/consent";

const PERSON = "auth_person_name";

interface Signing {
  readonly name: string;
  readonly position: string;
}

/** Who signs: the person whom the order names, unless another name was typed. */
export function signingOf({ requirements }: Pick<Order, "requirements">, typed: Typed): Signing {
  const person = requirements.find(({ slug }) => slug === PERSON);
  const named = typed[PERSON] ?? person?.field_value ?? "";
  return { name: typed[SIGNER] ?? named, position: typed[POSITION] ?? "" };
}

export function hasConsent(typed: Typed): boolean {
  return typed[CONSENT] === "yes";
}

/** What is missing before the service is asked. */
export function faultsBefore(order: Pick<Order, "requirements">, typed: Typed): Faults {
  return {
    ...(signingOf(order, typed).name.trim() === "" ? { [SIGNER]: NO_NAME } : {}),
    ...(hasConsent(typed) ? {} : { [CONSENT]: NO_CONSENT }),
  };
}

const NO_NAME: Fault = { code: "name_missing", detail: "Type your full name." };
const NO_CONSENT: Fault = { code: "consent_missing", detail: "Tick this to sign." };

/** What the service is sent; `image` is a PNG in base64. */
export function bodyOf({ name, position }: Signing, image: string | null) {
  return {
    signer_name: name,
    ...(position.trim() === "" ? {} : { signer_title: position }),
    ...(image === null ? {} : { signature_image: image }),
    consent: true,
  };
}

/** The name under which a field as a whole is marked: that of its first part. */
export function nameOf(requirement: Requirement): string {
  const { slug, field_type: type } = requirement;
  if (slug === LETTER) return SIGNER;
  const [first] = type === "address" ? partsOf(countryOf(requirement)) : [];
  const values = valuesOf(requirement);
  const number = (values.find((value) => value.field_value === null) ?? values[0])?.phone_number;
  const part = first?.part ?? number;
  return part === undefined ? slug : `${slug}/${part}`;
}

interface Blocking extends Fault {
  readonly slug: string;
}

/** What keeps the order from being sent, each at its field; what passes by itself is left out. */
export function faultsOfBlocks(
  blocking: readonly Blocking[],
  { requirements }: Pick<Order, "requirements">,
): Faults {
  const found = blocking.flatMap(({ slug, code, detail }): [string, Fault][] => {
    const requirement = requirements.find((one) => one.slug === slug);
    if (requirement === undefined || code === "checking") return [];
    return [[nameOf(requirement), { code, detail }]];
  });
  return Object.fromEntries(found);
}

interface SentFault extends Fault {
  readonly pointer?: string;
}

const OF_BODY: Readonly<Record<string, string>> = {
  "#/signer_name": SIGNER,
  "#/signer_title": POSITION,
};

/** What the service found wrong with the letter, each at its field; what is at none is left out. */
export function faultsOfSigning(
  faults: readonly SentFault[],
  { requirements }: Pick<Order, "requirements">,
): Faults {
  const found = faults.flatMap(({ pointer = "", code, detail }): [string, Fault][] => {
    const slug = /^#\/requirements\/(\w+)$/.exec(pointer)?.[1];
    const requirement = requirements.find((one) => one.slug === slug);
    const name = requirement === undefined ? OF_BODY[pointer] : nameOf(requirement);
    return name === undefined ? [] : [[name, { code, detail }]];
  });
  return Object.fromEntries(found);
}
