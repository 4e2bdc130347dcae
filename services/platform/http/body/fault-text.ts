import type { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: "a time with an offset, such as 2026-12-01T10:00:00+01:00",
  date: "a date, such as 2026-12-01",
  uuid: "a UUID",
  url: "an absolute URL",
  email: "an e-mail address",
};

/** The message of a fault whose schema defines none: a readable sentence, without the library's terms. */
export function faultText(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return `It must be ${TYPES[issue.expected] ?? issue.expected}.`;
    case "invalid_format": {
      const form = FORMATS[issue.format];
      return form === undefined ? "It has the wrong format." : `It must be ${form}.`;
    }
    case "invalid_value":
      return oneOf(issue.values);
    case "too_small":
      return tooSmall(issue.origin, String(issue.minimum), issue.inclusive !== false);
    case "too_big":
      return tooBig(issue.origin, String(issue.maximum), issue.inclusive !== false);
    case "invalid_union":
      return "It does not match any of the allowed forms.";
    case "custom":
    case "invalid_element":
    case "invalid_key":
    case "not_multiple_of":
    case "unrecognized_keys":
      return undefined;
  }
}

function oneOf(values: readonly unknown[]): string {
  return `It must be ${values.length === 1 ? "" : "one of "}${values.map(String).join(", ")}.`;
}

const COUNTED: Readonly<Record<string, string>> = { string: "characters", array: "entries" };

function tooSmall(origin: string, least: string, isInclusive: boolean): string {
  const unit = COUNTED[origin];
  if (unit === undefined)
    return `It must be ${isInclusive ? `${least} or more` : `more than ${least}`}.`;
  return least === "1" ? "It must not be empty." : `It must have at least ${least} ${unit}.`;
}

function tooBig(origin: string, most: string, isInclusive: boolean): string {
  const unit = COUNTED[origin];
  if (unit !== undefined) return `It must have at most ${most} ${unit}.`;
  return `It must be ${isInclusive ? `${most} or less` : `less than ${most}`}.`;
}
