import {
  MATCHED,
  SLUG_OF,
  type FoundValue,
  type Matched,
} from "../../../domain/document/rules/check-result.ts";
import { maskValue } from "../../../domain/requirement/rules/requirement.ts";
import { numberParts, type NumberParts } from "./national-number.ts";

/** Letters that have no decomposition but are written without their stroke or as two. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ı: "i",
  "&": " and ",
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "gu");

/** The words of a text in lower case, without accents and punctuation. */
function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/** A page's text as it is searched: the same values are found however they are spaced, accented and punctuated. */
interface PageText {
  /** As it was extracted. */
  readonly raw: string;
  readonly words: readonly string[];
  /** All words without spaces between them. */
  readonly letters: string;
  /** Where words begin in `letters`; its length is where the last one ends. */
  readonly bounds: ReadonlySet<number>;
}

function pageTextOf(raw: string): PageText {
  const words = wordsOf(raw);
  const bounds = new Set([0]);
  let length = 0;
  for (const word of words) {
    length += word.length;
    bounds.add(length);
  }
  return { raw, words, letters: words.join(""), bounds };
}

/** Whether the page has the phrase from the beginning of a word to the end of one, however it is spaced. */
function holdsPhrase({ letters, bounds }: PageText, phrase: string): boolean {
  const wanted = wordsOf(phrase).join("");
  if (wanted === "") return false;
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
    if (bounds.has(at) && bounds.has(at + wanted.length)) return true;
  }
  return false;
}

/** Words of an address that are written in more than one way; each is compared by the second. */
const SHORT: Readonly<Record<string, string>> = {
  street: "st",
  avenue: "ave",
  av: "ave",
  road: "rd",
  drive: "dr",
  lane: "ln",
  boulevard: "blvd",
  bd: "blvd",
  court: "ct",
  square: "sq",
  place: "pl",
  platz: "pl",
  parkway: "pkwy",
  highway: "hwy",
  suite: "ste",
  apartment: "apt",
  floor: "fl",
  north: "n",
  south: "s",
  east: "e",
  west: "w",
  calle: "c",
  rue: "r",
};

/** How many other words may stand between those of a street, such as a floor or a building. */
const OTHER_WORDS = 4;

function shortOf(word: string): string {
  return SHORT[word] ?? word.replace(/(.)strasse$/, "$1str").replace(/^strasse$/, "str");
}

/**
 * Whether a page has an address of four lines (street, locality, area and postal code, country): the words of its street
 * near each other in any order, and its postal code, or its locality where it has no postal code.
 */
function holdsAddress(page: PageText, address: string): boolean {
  const [street = "", locality = "", area = ""] = address.split("\n");
  const wanted = new Set(wordsOf(street).map(shortOf));
  const codes = area.split(/\s+/).filter((part) => /\d/.test(part));
  const town = codes.length > 0 ? codes.join(" ") : locality;
  return wanted.size > 0 && holdsPhrase(page, town) && areNear(page.words.map(shortOf), wanted);
}

/** Whether a window of the words holds all that are wanted. */
function areNear(words: readonly string[], wanted: ReadonlySet<string>): boolean {
  const size = wanted.size + OTHER_WORDS;
  const counts = new Map<string, number>();
  for (const [n, word] of words.entries()) {
    if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const left = words[n - size];
    const count = left === undefined ? undefined : counts.get(left);
    if (left !== undefined && count !== undefined) {
      if (count === 1) counts.delete(left);
      else counts.set(left, count - 1);
    }
    if (counts.size === wanted.size) return true;
  }
  return false;
}

/** What may stand between two digits of one number. */
const BETWEEN = /^[\s().\-/\u00b7\u2010-\u2015]{1,3}$/u;
const DIGITS = /\d+/g;

/** A part of a page in which digits follow each other with nothing but separators between them. */
interface DigitRun {
  readonly digits: string;
  /** Where groups of digits begin and end. */
  readonly bounds: ReadonlySet<number>;
}

/** In linear time, whatever the page holds. */
function digitRunsOf(page: string): DigitRun[] {
  const text = page.normalize("NFKC");
  const runs: DigitRun[] = [];
  let digits = "";
  let bounds = new Set([0]);
  let end = 0;
  const close = (): void => {
    if (digits !== "") runs.push({ digits, bounds });
  };
  for (const { 0: group, index } of text.matchAll(DIGITS)) {
    if (digits !== "" && !BETWEEN.test(text.slice(end, Math.min(index, end + 4)))) {
      close();
      digits = "";
      bounds = new Set([0]);
    }
    digits += group;
    bounds.add(digits.length);
    end = index + group.length;
  }
  close();
  return runs;
}

/** What stands before a national number where it is written within its country or from abroad. */
function prefixesOf(calling: string): string[] {
  const abroad = [calling, `00${calling}`, `011${calling}`];
  return ["", "0", ...abroad, ...abroad.map((prefix) => `${prefix}0`)];
}

function isWholeAt({ digits, bounds }: DigitRun, at: number, { calling, national }: NumberParts) {
  return (
    bounds.has(at + national.length) &&
    prefixesOf(calling).some(
      (prefix) => bounds.has(at - prefix.length) && digits.startsWith(prefix, at - prefix.length),
    )
  );
}

/** Which of the numbers a page has, in any national or international writing, by their place in the list. */
function findNumbers(page: string, numbers: readonly NumberParts[]): ReadonlySet<number> {
  const byNational = new Map<string, number[]>();
  numbers.forEach(({ national }, n) => {
    byNational.set(national, [...(byNational.get(national) ?? []), n]);
  });
  const lengths = new Set([...byNational.keys()].map((national) => national.length));
  const found = new Set<number>();
  for (const run of digitRunsOf(page)) {
    for (const length of lengths) {
      for (let at = 0; at + length <= run.digits.length; at += 1) {
        for (const n of byNational.get(run.digits.slice(at, at + length)) ?? []) {
          const parts = numbers[n];
          if (parts !== undefined && isWholeAt(run, at, parts)) found.add(n);
        }
      }
    }
  }
  return found;
}

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
  const indexes = wanted.flatMap(({ what }, n) => (what === "phone_number" ? [n] : []));
  const numbers = wanted.flatMap((one) => (one.what === "phone_number" ? [one.parts] : []));
  for (const [nth, raw] of pages.entries()) {
    const page = pageTextOf(raw);
    const onPage = findNumbers(raw, numbers);
    const found = new Set([...onPage].map((n) => indexes[n]));
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

/** Whether a document holds the values. One without any text says nothing, nor does a part of one about what it lacks. */
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

const BILL: readonly Matched[] = [
  "phone_number",
  "entity_name",
  "service_address",
  "account_number",
];

/** What a good document of a kind states; any other is looked through for everything. */
const EXPECTED: Readonly<Record<string, readonly Matched[]>> = {
  invoice: BILL,
  csr: BILL,
  proof_of_address: ["entity_name", "service_address"],
  id_document: ["signer"],
  registration_certificate: ["entity_name"],
  kbis: ["entity_name"],
  allocation_certificate: ["phone_number", "entity_name"],
};

interface OrderValues {
  readonly phoneNumbers: readonly string[];
  /** Whole values of requirements by slug. */
  readonly values: ReadonlyMap<string, string>;
}

/** What to look for in the document of a requirement. Our own letter states the account number masked. */
export function wantedIn(slug: string, { phoneNumbers, values }: OrderValues): Wanted[] {
  return (EXPECTED[slug] ?? MATCHED).flatMap((what): Wanted[] => {
    if (what === "phone_number") {
      return phoneNumbers.map((number) => ({ what, number, parts: numberParts(number) }));
    }
    const value = values.get(SLUG_OF[what]);
    if (value === undefined || value.trim() === "") return [];
    const masked = maskValue(value, "masked");
    const isMasked =
      slug === "loa" && what === "account_number" && masked !== maskValue("", "masked");
    return [isMasked ? { what, value, orAs: masked } : { what, value }];
  });
}
