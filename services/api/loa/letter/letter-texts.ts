import type { LetterLanguage } from "../../../domain/terms/rules/letter-terms.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import es from "./texts/es.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };
import nl from "./texts/nl.json" with { type: "json" };

/** The words of a letter; a field or choice that `fields` and `choices` do not have is named as the service names it. */
export type LetterTexts = Omit<typeof en, "fields" | "choices"> & {
  readonly fields: Readonly<Partial<Record<string, string>>>;
  /** The options of a choice, by its slug. */
  readonly choices: Readonly<Partial<Record<string, Readonly<Partial<Record<string, string>>>>>>;
};

export const LETTER_TEXTS: Readonly<Record<LetterLanguage, LetterTexts>> = { de, en, es, fr, nl };

/** A text with its facts: `Page {n} of {of}`. */
export function filled(text: string, facts: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(facts[name] ?? place));
}
