import { z } from "zod";
import type { ReceivedFile } from "../../files/temporary-upload.ts";
import { writtenInstant } from "../../calendar/instant-text.ts";
import { hasAtMost, isVisible } from "../../characters.ts";

const EARLIEST_MS = 0;
const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** A UUID, converted to lower case as stored. */
export function uuid() {
  return z.uuid().transform((id) => id.toLowerCase());
}

/**
 * An ISO 8601 instant with an offset or `Z`, as a Date; clamped to the years that the database can
 * compare.
 */
export function instant() {
  return writtenInstant(
    "It must be a time with an offset, such as 2026-12-01T10:00:00Z; in a URL, + is %2B.",
  ).transform((text) => new Date(Math.min(Math.max(Date.parse(text), EARLIEST_MS), LATEST_MS)));
}

/** Marks by which a text is shown in another order than it was written: a reference could read as another one. */
const DIRECTION_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const MARKED =
  "It contains marks that change the direction of text, such as U+202E: leave them out.";

/**
 * Text of up to `max` characters as JSON Schema counts them: an emoji is one, though JavaScript and the library's own check
 * have it as two. `text` is what else holds of it.
 */
export function textUpTo(max: number, text = z.string()) {
  return text
    .check(({ value, issues }) => {
      if (DIRECTION_MARK.test(value)) {
        const params = { code: "invalid_characters" };
        issues.push({ code: "custom", message: MARKED, params, input: value });
      }
      if (hasAtMost(max, value)) return;
      const fault = { code: "too_big", origin: "string", maximum: max } as const;
      issues.push({ ...fault, inclusive: true, input: value });
    })
    .meta({ maxLength: max });
}

/** Text that a person wrote, of 1 to `max` characters and not blank; white space around it goes. */
export function writtenText(max: number) {
  const written = z.string().trim().min(1, { abort: true });
  return textUpTo(max, written)
    .regex(/\S/u, { error: "It must not be blank.", abort: true })
    .refine(isVisible, {
      error: "It must not be blank.",
      params: { code: "invalid_format" },
    });
}

/** The file field of a form. */
export function formFile() {
  return z.custom<ReceivedFile>((file) => file !== undefined, {
    error: "It is required.",
    params: { code: "required" },
  });
}

/** A property that may be left out; null means the same, since responses show it as null where there is no value. */
export function optionalOrNull<T extends z.ZodType>(schema: T) {
  return schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
}
