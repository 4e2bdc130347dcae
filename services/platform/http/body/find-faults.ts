import type { z } from "zod";
import type { Fault } from "../../errors.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** More would only make the response larger than the request; a full order of 1,000 numbers fits. */
const MAX_FAULTS = 2_000;

const TOO_BIG: Readonly<Record<string, string>> = { string: "too_long", array: "too_many" };
const TOO_SMALL: Readonly<Record<string, string>> = { string: "too_short", array: "too_few" };

/** Every fault of a body, each with a JSON pointer as a URI fragment (RFC 6901, section 6). */
export function findBodyFaults(error: z.ZodError, body: unknown): Fault[] {
  return flatten(error.issues, [])
    .slice(0, MAX_FAULTS)
    .map(({ issue, path }) => ({ pointer: toPointer(path), ...describe(issue, body, path) }));
}

/** Every fault of a query, each with its parameter. */
export function findQueryFaults(error: z.ZodError, query: unknown): Fault[] {
  return flatten(error.issues, [])
    .slice(0, MAX_FAULTS)
    .map(({ issue, path }) => {
      const parameter = String(path[0] ?? "");
      return issue.code === "unrecognized_keys"
        ? { parameter, code: "unknown_parameter", detail: "There is no such parameter." }
        : { parameter, ...describe(issue, query, path) };
    });
}

/** `["a", 0]` → `#/a/0`. */
export function toPointer(path: Path): string {
  const steps = path.map((step) => String(step).replaceAll("~", "~0").replaceAll("/", "~1"));
  return `#${steps.map((step) => `/${encodeURIComponent(step)}`).join("")}`;
}

interface Located {
  readonly issue: Issue;
  readonly path: Path;
}

function flatten(issues: readonly Issue[], base: Path): Located[] {
  return issues.flatMap((issue): Located[] => {
    const path = [...base, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.slice(0, MAX_FAULTS).map((key) => ({ issue, path: [...path, key] }));
    }
    const meant = issue.code === "invalid_union" ? meantOption(issue) : undefined;
    return meant === undefined ? [{ issue, path }] : flatten(meant, path);
  });
}

/** The only option of a union whose outer type fits the value; its faults are the useful ones. */
function meantOption(issue: z.core.$ZodIssueInvalidUnion): readonly Issue[] | undefined {
  const fitting = issue.errors.filter((option) =>
    option.every((inner) => inner.path.length > 0 || inner.code === "unrecognized_keys"),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

function describe(issue: Issue, input: unknown, path: Path): { code: string; detail: string } {
  if (issue.code === "custom") return { code: ownCode(issue), detail: issue.message };
  if (issue.code === "unrecognized_keys") {
    return { code: "unknown_property", detail: "There is no such property." };
  }
  if (valueAt(input, path) === undefined) return { code: "required", detail: "It is required." };
  return { code: defaultCode(issue), detail: issue.message };
}

/** A schema sets the code of a fault with `params: { code }` in its refinement or issue. */
function ownCode(issue: z.core.$ZodIssueCustom): string {
  const code: unknown = issue.params?.["code"];
  return typeof code === "string" ? code : "invalid_value";
}

function defaultCode(issue: Issue): string {
  if (issue.code === "too_big") return TOO_BIG[issue.origin] ?? "too_large";
  if (issue.code === "too_small") return TOO_SMALL[issue.origin] ?? "too_small";
  const known = issue.code === "invalid_type" || issue.code === "invalid_format";
  return known ? issue.code : "invalid_value";
}

function valueAt(input: unknown, path: Path): unknown {
  let value: unknown = input;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = Object.getOwnPropertyDescriptor(value, step)?.value;
  }
  return value;
}

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
