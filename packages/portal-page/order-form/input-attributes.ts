import type { InputHTMLAttributes } from "react";
import type { Part } from "./address.ts";

type InputAttributes = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "type" | "autoComplete" | "autoCapitalize" | "inputMode" | "enterKeyHint" | "spellCheck"
>;

/** Enter saves, whatever field it is pressed in. */
const EVERY: InputAttributes = {
  type: "text",
  autoComplete: "off",
  autoCapitalize: "none",
  enterKeyHint: "done",
  spellCheck: false,
};
const NAME: InputAttributes = { autoComplete: "name", autoCapitalize: "words" };
const CODE: InputAttributes = { autoCapitalize: "characters" };
const DIGITS: InputAttributes = { inputMode: "numeric" };
const PHONE: InputAttributes = { type: "tel", inputMode: "tel", autoComplete: "tel" };

const OF_FIELD: Readonly<Record<string, InputAttributes>> = {
  entity_name: NAME,
  auth_person_name: NAME,
  losing_carrier: { autoCapitalize: "words" },
  account_number: CODE,
  pac_code: CODE,
  rio_code: CODE,
  tax_id: CODE,
  siret: DIGITS,
  icc_id: DIGITS,
  birth_date: { type: "date", autoComplete: "bday" },
  billing_phone_number: PHONE,
  // Not the number that the browser knows: it is one that comes after.
  new_billing_phone_number: { ...PHONE, autoComplete: "off" },
};

/** Countries whose postal codes have letters in them. */
const CODES_WITH_LETTERS: ReadonlySet<string> = new Set(["CA", "GB"]);

function postalCode(country: string): InputAttributes {
  const keys = CODES_WITH_LETTERS.has(country) ? CODE : DIGITS;
  return { ...keys, autoComplete: "postal-code" };
}

/** How a browser helps to fill in a field: what it may know of the person, and which keys it shows. */
export function attributesOf(slug: string, country: string): InputAttributes {
  const own = slug === "postal_code" ? postalCode(country) : (OF_FIELD[slug] ?? {});
  return { ...EVERY, ...own };
}

/** The same for a part of an address. */
export function attributesOfPart(part: Part, country: string): InputAttributes {
  const words: InputAttributes = { ...EVERY, autoCapitalize: "words" };
  switch (part) {
    case "street":
      return { ...words, autoComplete: "address-line1" };
    case "locality":
      return { ...words, autoComplete: "address-level2" };
    case "area":
      return { ...words, autoComplete: "address-level1" };
    case "postalCode":
      return { ...EVERY, ...postalCode(country) };
  }
}
