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
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/** A page's text as it is searched: the same values are found however they are spaced, accented and punctuated. */
export interface PageText {
  /** As it was extracted. */
  readonly raw: string;
  readonly words: readonly string[];
  /** All words without spaces between them. */
  readonly letters: string;
  /** Where words begin in `letters`; its length is where the last one ends. */
  readonly bounds: ReadonlySet<number>;
}

export function pageTextOf(raw: string): PageText {
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
export function holdsPhrase({ letters, bounds }: PageText, phrase: string): boolean {
  const wanted = wordsOf(phrase).join("");
  if (wanted === "") return false;
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
    if (bounds.has(at) && bounds.has(at + wanted.length)) return true;
  }
  return false;
}
