/** A place in a page's text: a character of one of its pieces. */
export interface TextPlace {
  readonly piece: number;
  readonly offset: number;
}

/** From the first character to the last, both included. */
export interface TextMatch {
  readonly first: TextPlace;
  readonly last: TextPlace;
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Fewer characters are found everywhere. */
const MIN_LENGTH = 2;
/** The digits of a number without its country code that are still its own. */
const MIN_NATIONAL = 7;
const MAX_COUNTRY_CODE = 3;

/**
 * Every place of a value in a page's pieces of text. Spaces, punctuation, case and accents do not matter, and a phone
 * number is found without its country code too.
 */
export function findInText(pieces: readonly string[], value: string): readonly TextMatch[] {
  const { text, places } = flatten(pieces);
  for (const wanted of formsOf(value)) {
    const found = placesOf(text, wanted).flatMap((at): TextMatch[] => {
      const [first, last] = [places[at], places[at + wanted.length - 1]];
      return first === undefined || last === undefined ? [] : [{ first, last }];
    });
    if (found.length > 0) return found;
  }
  return [];
}

function flatten(pieces: readonly string[]): { text: string; places: readonly TextPlace[] } {
  let text = "";
  const places: TextPlace[] = [];
  pieces.forEach((content, piece) => {
    let offset = 0;
    for (const character of content) {
      for (const folded of fold(character)) {
        text += folded;
        places.push({ piece, offset });
      }
      offset += character.length;
    }
  });
  return { text, places };
}

/** A character without case and accent; nothing for what is neither letter nor digit. */
function fold(character: string): string[] {
  const plain = character.normalize("NFKD").toLowerCase().replace("ı", "i");
  return Array.from(plain).filter((one) => LETTER_OR_DIGIT.test(one) && one.length === 1);
}

function formsOf(value: string): readonly string[] {
  const whole = Array.from(value).flatMap(fold).join("");
  if (whole.length < MIN_LENGTH) return [];
  if (!/^\+\d+$/.test(value)) return [whole];
  const national = Array.from({ length: MAX_COUNTRY_CODE }, (_, n) => whole.slice(n + 1));
  return [whole, ...national.filter((digits) => digits.length >= MIN_NATIONAL)];
}

function placesOf(text: string, wanted: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    found.push(at);
  }
  return found;
}
