import { z } from "zod";

/** An id (UUID) in a response. */
export function idText(description?: string) {
  return text({ format: "uuid" }, description);
}

/** An instant in a response: ISO 8601 in UTC with milliseconds and `Z`. */
export function timeText(description?: string) {
  return text({ format: "date-time" }, description);
}

/** An instant that keeps the offset it was given. */
export function offsetTimeText(description?: string) {
  return text({ format: "date-time", examples: ["2026-03-02T09:00:00-05:00"] }, description);
}

/** A phone number in E.164. */
export function numberText(description?: string) {
  return text({ examples: ["+12125550123"] }, description);
}

/** A country by its two capital letters. */
export function countryText(description: string) {
  return text({ examples: ["US"] }, `${description}: two letters (ISO 3166-1 alpha-2)`);
}

/** A SHA-256 hash in hex. */
export function hashText(description?: string) {
  return text({ examples: ["9f".repeat(32)] }, description);
}

function text(meta: { readonly format?: string; examples?: string[] }, description?: string) {
  const schema = z.string().meta(meta);
  return description === undefined ? schema : schema.describe(description);
}

/** A page of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).meta({ description: "The items, newest first unless asked otherwise" }),
    has_more: z.boolean().meta({
      description: "Whether there are more items in the paging direction",
      examples: [false],
    }),
  });
}
