import { z } from "zod";

/** An id, a UUID, as answers have it. */
export function idText(description?: string) {
  return text({ format: "uuid", description });
}

/** An instant, as answers have it: ISO 8601 in UTC with milliseconds and `Z`. */
export function timeText(description?: string) {
  return text({ format: "date-time", description });
}

/** An instant that keeps the offset it was given. */
export function offsetTimeText(description?: string) {
  return text({ format: "date-time", description, examples: ["2026-03-02T09:00:00-05:00"] });
}

/** A phone number in E.164. */
export function numberText(description?: string) {
  return text({ description, examples: ["+12125550123"] });
}

/** A SHA-256 hash in hex. */
export function hashText(description?: string) {
  return text({ description, examples: ["9f".repeat(32)] });
}

interface TextMeta {
  readonly format?: string;
  readonly description?: string | undefined;
  readonly examples?: readonly string[];
}

function text({ description, examples, ...meta }: TextMeta) {
  return z.string().meta({
    ...meta,
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples: [...examples] }),
  });
}

/** A page of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean().meta({
      description: "Whether there is more in the direction of travel",
      examples: [false],
    }),
  });
}
