import { fieldWords } from "../labels.ts";
import type { Match } from "../types.ts";

/** How many of an order's numbers a document's text holds. */
export interface NumbersFound {
  readonly text: string;
  readonly missing: readonly Match[];
  readonly isReadable: boolean;
}

export function isNumber({ what }: Match): boolean {
  return what === "phone_number";
}

export function numbersFound(matches: readonly Match[]): NumbersFound {
  const numbers = matches.filter(isNumber);
  const count = (state: boolean | null): number =>
    numbers.filter(({ found }) => found === state).length;
  const unread = count(null);
  const isReadable = unread < numbers.length;
  const rest = unread > 0 ? `, ${unread} not readable` : "";
  return {
    text: isReadable
      ? `${count(true)} of ${numbers.length} numbers found${rest}`
      : `${numbers.length} numbers: not readable`,
    missing: numbers.filter(({ found }) => found === false),
    isReadable,
  };
}

/** A value that a document's text does not hold. */
export function missingText({ what, value }: Match): string {
  const name = what === "phone_number" ? value : fieldWords(what);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} not found`;
}

/** What of a document's text speaks against the order; nothing where it could not be read. */
export function evidenceAgainst(matches: readonly Match[]): readonly string[] {
  const missing = matches.filter(({ found }) => found === false);
  const others = missing.filter((match) => !isNumber(match)).map(missingText);
  const numbers = matches.filter(isNumber);
  const { text, missing: absent } = numbersFound(matches);
  if (absent.length === 0) return others;
  return [numbers.length === 1 ? absent.map(missingText).join() : text, ...others];
}
