import { isDate } from "../../platform/calendar/instant-text.ts";
import { countCharacters, hasAtMost, isVisible } from "../../platform/characters.ts";
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

type TextFormat = ValueFormat & { format: "text" };

export type CheckedValue = { readonly value: string } | { readonly fault: ValueFault };

/** Control characters, unpaired surrogates, and marks that change the text direction; callers remove line feeds first. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
/**
 * What is sent may be longer than what is stored, which is in normal form. It is limited all the same: putting marks in order takes
 * time that grows with the square of their number.
 */
export const MAX_VALUE_LENGTH = 4_096;
const ADDRESS_LINES = 4;
const DAY_MS = 86_400_000;
const ADDRESS_LINE_LENGTH = 120;

/** What a value may depend on beside its format. */
export interface ValueContext {
  /** The order's numbers: a code that belongs to a number must fit one of them. */
  readonly phoneNumbers: readonly string[];
  readonly now: Date;
}

/** The value as it is stored, trimmed and in normal form, or why it is rejected. Documents have no text to check. */
export function checkValue(
  { value: format }: Pick<RequirementDefinition, "value">,
  text: string,
  context: ValueContext,
): CheckedValue {
  const printable = readPrintable(text);
  if ("fault" in printable) return printable;
  const { value } = printable;
  if (format.format === "address") return checkAddress(format, value);
  return findLineFault(value) ?? checkLine(format, value, context);
}

/** A line of text that belongs to no requirement, as it is stored, or why it is rejected. */
export function checkTextLine(format: TextFormat, text: string): CheckedValue {
  if (!hasAtMost(MAX_VALUE_LENGTH, text)) {
    const most = `It may have at most ${format.maxLength} characters`;
    return fault("too_long", `${most}; it has more than ${MAX_VALUE_LENGTH}.`);
  }
  const printable = readPrintable(text);
  if ("fault" in printable) return printable;
  return findLineFault(printable.value) ?? checkText(format, printable.value);
}

function readPrintable(text: string): CheckedValue {
  const value = text.normalize("NFC").replaceAll("\r\n", "\n").trim();
  if (value === "") return fault("required", "It must not be empty.");
  if (UNPRINTABLE.test(value.replaceAll("\n", ""))) {
    return fault("invalid_characters", "It contains control characters, which cannot be printed.");
  }
  return isVisible(value) ? { value } : fault("required", "It must not be empty.");
}

function findLineFault(value: string): CheckedValue | null {
  if (!value.includes("\n")) return null;
  return fault("invalid_characters", "It must be a single line.");
}

function checkLine(
  format: ValueFormat,
  value: string,
  { phoneNumbers, now }: ValueContext,
): CheckedValue {
  switch (format.format) {
    case "text":
      return checkText(format, value);
    case "code":
      return checkCode(format.code, value, phoneNumbers);
    case "phone_number":
      if (classifyNumber(value) !== null) return { value };
      return fault("invalid_number", "It is not a valid E.164 number, such as +12125551234.");
    case "date":
      return checkDate(format, value, now);
    case "choice":
      if (format.options.includes(value)) return { value };
      return fault("invalid_choice", `It must be one of ${format.options.join(", ")}.`);
    case "address":
    case "document":
      return fault("invalid_type", "It takes a file as multipart/form-data, not text.");
  }
}

function checkText(format: TextFormat, value: string): CheckedValue {
  const length = countCharacters(value);
  if (length < format.minLength) {
    return fault(
      "too_short",
      `It must have at least ${format.minLength} characters; it has ${length}.`,
    );
  }
  if (length > format.maxLength) {
    return fault(
      "too_long",
      `It may have at most ${format.maxLength} characters; it has ${length}.`,
    );
  }
  if (format.shape?.pattern.test(value) === false) {
    return fault("invalid_format", `It must be ${format.shape.form}.`);
  }
  return { value };
}

function checkCode(code: Code, text: string, phoneNumbers: readonly string[]): CheckedValue {
  const value = readCode(code, text);
  if (value === null) return fault("invalid_format", `It must be ${code.form}.`);
  const { ofNumber } = code;
  if (ofNumber === undefined || phoneNumbers.some((number) => ofNumber.fits(value, number))) {
    return { value };
  }
  return fault(ofNumber.fault, ofNumber.detail);
}

function checkDate(
  { isPast }: ValueFormat & { format: "date" },
  value: string,
  now: Date,
): CheckedValue {
  const like = isPast ? "a date before today, such as 1980-05-17" : "a date, such as 2026-12-01";
  const isAllowed = isDate(value) && (!isPast || Date.parse(value) < now.getTime() - DAY_MS);
  return isAllowed ? { value } : fault("invalid_date", `It must be ${like}.`);
}

function checkAddress(asked: AddressFormat, text: string): CheckedValue {
  const lines = text.split("\n").map((line) => line.trim().replaceAll(/\s+/gu, " "));
  const [street = "", locality = "", region = "", country = ""] = lines;
  const formats = [asked, ...(asked.abroad ?? [])];
  const format = formats.find((one) => one.country === country.toUpperCase()) ?? asked;
  if (lines.length !== ADDRESS_LINES || !lines.every(isVisible)) {
    return fault("invalid_address", addressShape(format));
  }
  const longest = Math.max(...lines.map(countCharacters));
  if (longest > ADDRESS_LINE_LENGTH) {
    const most = `A line may have at most ${ADDRESS_LINE_LENGTH} characters`;
    return fault("too_long", `${most}; the longest has ${longest}.`);
  }
  if (country.toUpperCase() !== format.country) {
    const countries = formats.map((one) => one.country).join(" or ");
    return fault("invalid_address", `The last line must be the country, ${countries}.`);
  }
  const normal = normalRegion(format, region);
  if (normal === null) {
    const what = format.area === null ? "The postal code" : "State or region and postal code";
    return fault("invalid_postal_code", `${what} must be ${regionForm(format)}.`);
  }
  return { value: [street, locality, normal, format.country].join("\n") };
}

function regionForm({ area, postalCode }: AddressFormat): string {
  return `${area === null ? "" : `${area.form} and `}${postalCode.form}`;
}

function addressShape(format: AddressFormat): string {
  const { country } = format;
  return `An address has ${ADDRESS_LINES} lines, none of them empty: street; locality; ${regionForm(format)}; the country, ${country}.`;
}

/** The area and the postal code at the end of the line, normalized; null if either is missing or wrong. */
function normalRegion({ area, postalCode }: AddressFormat, line: string): string | null {
  const words = line.split(" ");
  for (let n = 0; n < words.length; n += 1) {
    const code = readCode(postalCode, words.slice(n).join(" "));
    if (code === null) continue;
    const before = words.slice(0, n).join(" ");
    if (area === null) return before === "" ? code : `${before} ${code}`;
    return area.pattern.test(before.toUpperCase()) ? `${before.toUpperCase()} ${code}` : null;
  }
  return null;
}

function fault(code: string, detail: string): CheckedValue {
  return { fault: { code, detail } };
}
