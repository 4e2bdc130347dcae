import { z } from "zod";
import { checkTextLine } from "./check-value.ts";

/** A single line of 1 to `max` printable characters, trimmed and in Unicode normal form. */
export function textLine(max: number) {
  const format = { format: "text", minLength: 1, maxLength: max } as const;
  return z.string().transform((text, context) => {
    const checked = checkTextLine(format, text);
    if ("value" in checked) return checked.value;
    const { code, detail } = checked.fault;
    context.addIssue({ code: "custom", message: detail, params: { code } });
    return z.NEVER;
  });
}
