const NUMBER_FORM = /^(?:tel:)?[+\d\s().\-/\u2010-\u2015]+$/i;
/** Fewer digits are at the end of too many numbers. */
const MIN_DIGITS = 4;
/** A national number without its trunk prefix is at least this long. */
const MIN_NATIONAL = 7;
const TRUNK_IN_BRACKETS = /\(0\)/g;
/** A trunk prefix, or what is dialled before a country code: 0, 00, and 011 in North America. */
const DIALLED_FIRST = /^(?:011|0+)/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a search can mean. */
export interface SearchTerm {
  /** The term itself: a reference, or part of an account's name. */
  readonly text: string;
  /** The term as an id. */
  readonly id: string | null;
  /** Digits with which a number can end: those that were given, and without what is dialled first. */
  readonly lastDigits: readonly string[];
}

/** Reads a search: a number in any form or its last digits, a reference, an id, or an account. */
export function readSearchTerm(given: string): SearchTerm {
  const text = given.trim();
  return {
    text,
    id: UUID.test(text) ? text.toLowerCase() : null,
    lastDigits: NUMBER_FORM.test(text) ? endingsOf(text) : [],
  };
}

function endingsOf(text: string): string[] {
  const digits = text.replace(TRUNK_IN_BRACKETS, "").replace(/\D/g, "");
  const national = digits.replace(DIALLED_FIRST, "");
  const endings = national.length >= MIN_NATIONAL ? [digits, national] : [digits];
  return [...new Set(endings)].filter(({ length }) => length >= MIN_DIGITS && length <= 15);
}
