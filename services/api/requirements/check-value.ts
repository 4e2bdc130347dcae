import { classifyNumber } from "../../domain/number/rules/classify-number.ts";
import { readCode, type Code } from "../../domain/countries/fields/code.ts";
import type {
  AddressFormat,
  RequirementDefinition,
  ValueFormat,
} from "../../domain/countries/fields/requirement-definition.ts";

export interface ValueFault {
  readonly code: string;
  readonly detail: string;
}

export type CheckedValue = { readonly value: string } | { readonly fault: ValueFault };

/** Control characters, unpaired surrogates, and marks that change the text direction; callers remove line feeds first. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
/** A value of only spaces, joiners and fillers is not readable. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const ADDRESS_LINES = 4;
const ADDRESS_LINE_LENGTH = 120;

/** The value as it is stored, trimmed and in normal form, or why it is rejected. Documents have no text to check. */
export function checkValue(
  definition: Pick<RequirementDefinition, "value">,
  text: string,
): CheckedValue {
  const value = text.normalize("NFC").replaceAll("\r\n", "\n").trim();
  if (value === "") return fault("required", "It must not be empty.");
  if (UNPRINTABLE.test(value.replaceAll("\n", ""))) {
    return fault("invalid_characters", "It contains characters that cannot be printed.");
  }
  if (!VISIBLE.test(value)) return fault("required", "It must not be empty.");
  if (definition.value.format === "address") return checkAddress(definition.value, value);
  if (value.includes("\n")) return fault("invalid_characters", "It must be a single line.");
  return checkLine(definition.value, value);
}

function checkLine(format: ValueFormat, value: string): CheckedValue {
  switch (format.format) {
    case "text":
      return checkText(format, value);
    case "code":
      return checkCode(format.code, value);
    case "phone_number":
      if (classifyNumber(value) !== null) return { value };
      return fault("invalid_number", "It is not a valid E.164 number, such as +12125551234.");
    case "date":
      if (isDate(value)) return { value };
      return fault("invalid_date", "It is not a date; write it as YYYY-MM-DD.");
    case "choice":
      if (format.options.includes(value)) return { value };
      return fault("invalid_choice", `It must be one of ${format.options.join(", ")}.`);
    case "address":
    case "document":
      return fault("invalid_type", "It takes a file, not text.");
  }
}

/** The length in Unicode characters, as in JSON Schema, not in UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

function checkText(format: ValueFormat & { format: "text" }, value: string): CheckedValue {
  const length = lengthOf(value);
  if (length < format.minLength) {
    return fault("too_short", `It must have at least ${format.minLength} characters.`);
  }
  if (length > format.maxLength) {
    return fault("too_long", `It may have at most ${format.maxLength} characters.`);
  }
  if (format.shape?.pattern.test(value) === false) {
    return fault("invalid_format", `It must be ${format.shape.form}.`);
  }
  return { value };
}

function checkCode(code: Code, text: string): CheckedValue {
  const value = readCode(code, text);
  if (value !== null) return { value };
  return fault("invalid_format", `It must be ${code.form}.`);
}

function checkAddress(format: AddressFormat, text: string): CheckedValue {
  const lines = text.split("\n").map((line) => line.trim().replaceAll(/\s+/gu, " "));
  const [street = "", locality = "", region = "", country = ""] = lines;
  const shape = "street, locality, administrative area and postal code, country";
  if (lines.length !== ADDRESS_LINES || !lines.every((line) => VISIBLE.test(line))) {
    return fault("invalid_address", `An address has four lines: ${shape}.`);
  }
  if (lines.some((line) => lengthOf(line) > ADDRESS_LINE_LENGTH)) {
    return fault("too_long", `A line may have at most ${ADDRESS_LINE_LENGTH} characters.`);
  }
  if (country.toUpperCase() !== format.country) {
    return fault("invalid_address", `The last line must be the country, ${format.country}.`);
  }
  const normal = normalRegion(format, region);
  if (normal === null) {
    const area = format.area === null ? "" : "the administrative area and ";
    const detail = `The third line must be ${area}${format.postalCode.form}.`;
    return fault("invalid_postal_code", detail);
  }
  return { value: [street, locality, normal, format.country].join("\n") };
}

/** The area and the postal code at the end of the line, normalized; null if either is missing or wrong. */
function normalRegion({ area, postalCode }: AddressFormat, line: string): string | null {
  const words = line.split(" ");
  for (let n = 0; n < words.length; n += 1) {
    const code = readCode(postalCode, words.slice(n).join(" "));
    if (code === null) continue;
    const before = words.slice(0, n).join(" ");
    if (area === null) return before === "" ? code : `${before} ${code}`;
    return area.test(before.toUpperCase()) ? `${before.toUpperCase()} ${code}` : null;
  }
  return null;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function fault(code: string, detail: string): CheckedValue {
  return { fault: { code, detail } };
}
