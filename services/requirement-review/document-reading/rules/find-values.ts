import type { NumberParts } from "../../../domain/number/rules/national-number.ts";
import type { FoundValue, Matched } from "../../../domain/document/rules/found-value.ts";
import { findNumbers } from "./find-numbers.ts";
import { holdsAddress } from "./holds-address.ts";
import { holdsPhrase, pageTextOf, type PageText } from "./page-text.ts";

/** A value of the order that a document is expected to hold. */
export type Wanted =
  | { readonly what: "phone_number"; readonly number: string; readonly parts: NumberParts }
  | {
      readonly what: Exclude<Matched, "phone_number">;
      readonly value: string;
      /** Another form in which the document may hold it. */
      readonly orAs?: string;
    };

function holds(page: PageText, wanted: Exclude<Wanted, { what: "phone_number" }>): boolean {
  const { what, value, orAs } = wanted;
  if (orAs !== undefined && page.raw.includes(orAs)) return true;
  return what === "service_address" ? holdsAddress(page, value) : holdsPhrase(page, value);
}

/** The first page, from 1, on which each wanted value is, in their order; null where it is on none. */
function firstPages(pages: readonly string[], wanted: readonly Wanted[]): (number | null)[] {
  const first = wanted.map((): number | null => null);
  const places = wanted.flatMap(({ what }, n) => (what === "phone_number" ? [n] : []));
  const numbers = wanted.flatMap((one) => (one.what === "phone_number" ? [one.parts] : []));
  for (const [nth, raw] of pages.entries()) {
    const page = pageTextOf(raw);
    const onPage = findNumbers(raw, numbers);
    const found = new Set([...onPage].map((n) => places[n]));
    wanted.forEach((one, n) => {
      if (first[n] !== null) return;
      if (one.what === "phone_number" ? found.has(n) : holds(page, one)) first[n] = nth + 1;
    });
  }
  return first;
}

/** The text of a document, by pages. */
export interface DocumentText {
  readonly pages: readonly string[];
  /** Whether these are all its pages, each with its whole text. */
  readonly isWhole: boolean;
}

/** Whether a document holds the values. One without any text tells nothing, nor does a part of one of what it lacks. */
export function findValues(
  { pages, isWhole }: DocumentText,
  wanted: readonly Wanted[],
): FoundValue[] {
  const hasText = pages.some((page) => /[\p{L}\p{N}]/u.test(page));
  const first = firstPages(hasText ? pages : [], wanted);
  return wanted.map((one, n) => ({
    what: one.what,
    number: one.what === "phone_number" ? one.number : null,
    found: first[n] != null ? true : hasText && isWhole ? false : null,
    page: first[n] ?? null,
  }));
}
