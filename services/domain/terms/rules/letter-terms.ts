import { z } from "zod";
import type { CountryTerms } from "./country-terms.ts";

export const LETTER_LANGUAGES = ["en", "de", "fr", "es", "nl"] as const;
export type LetterLanguage = (typeof LETTER_LANGUAGES)[number];

/** What a country's carriers want in a letter of authorization, as its terms have it. */
export const letterTerms = z.strictObject({
  /** The languages in which carriers read it, the usual one first. */
  languages: z.array(z.enum(LETTER_LANGUAGES)).min(1),
  /** Whether a business stamps it. */
  stamp: z.boolean(),
  /** Whether it states the billing address, where that is another than the service address. */
  billing_address: z.boolean(),
  source: z.string().min(1).max(500),
});

/** How a letter is written. */
export interface LetterForm {
  readonly language: LetterLanguage;
  readonly hasStamp: boolean;
  readonly hasBillingAddress: boolean;
}

const PLAIN: LetterForm = { language: "en", hasStamp: false, hasBillingAddress: false };

/** In the wished language where the country's carriers read it; in their usual one otherwise. */
export function letterFormOf(
  terms: Pick<CountryTerms, "letter"> | null,
  wished: LetterLanguage | null,
): LetterForm {
  const letter = terms?.letter;
  if (letter === undefined) return PLAIN;
  const language = letter.languages.find((one) => one === wished) ?? letter.languages[0] ?? "en";
  return { language, hasStamp: letter.stamp, hasBillingAddress: letter.billing_address };
}
