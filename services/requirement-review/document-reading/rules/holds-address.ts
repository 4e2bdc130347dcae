import { holdsPhrase, wordsOf, type PageText } from "./page-text.ts";

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
export function holdsAddress(page: PageText, address: string): boolean {
  const [street = "", locality = "", area = ""] = address.split("\n");
  const wanted = new Set(wordsOf(street).map(shortOf));
  const codes = area.split(/\s+/).filter((part) => /\d/.test(part));
  const place = codes.length > 0 ? codes.join(" ") : locality;
  return wanted.size > 0 && holdsPhrase(page, place) && areNear(page.words.map(shortOf), wanted);
}

/** Whether a window of the words holds all that are wanted. */
function areNear(words: readonly string[], wanted: ReadonlySet<string>): boolean {
  const size = wanted.size + OTHER_WORDS;
  const counts = new Map<string, number>();
  for (const [n, word] of words.entries()) {
    if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const left = words[n - size];
    const held = left === undefined ? undefined : counts.get(left);
    if (left !== undefined && held !== undefined) {
      if (held === 1) counts.delete(left);
      else counts.set(left, held - 1);
    }
    if (counts.size === wanted.size) return true;
  }
  return false;
}
