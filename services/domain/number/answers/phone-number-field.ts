import { z } from "zod";
import { E164 } from "../rules/classify-number.ts";

const NOT_E164 = "It must be a number in E.164, such as +12125550123.";

/** A phone number in a request, checked only for its E.164 form. */
export const phoneNumberField = z.string().regex(E164, NOT_E164);

/** A phone number in a query, where a plus sign that was not encoded arrives as a space. */
export function phoneNumberParameter(description: string) {
  return z
    .string()
    .transform((text) => text.replace(/^ (?=\d)/, "+"))
    .pipe(z.string().regex(E164, `${NOT_E164} In a URL, + is %2B.`))
    .meta({
      description,
      pattern: E164.source,
      examples: ["+12125550123"],
    });
}
