/** Text of only spaces, joiners and fillers is not readable. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a reader sees any of the text. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** The length of text in Unicode characters, as in JSON Schema: an emoji is one, though it is two UTF-16 units. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/** Whether text is no longer than so many characters; much longer text is not counted. */
export function hasAtMost(most: number, text: string): boolean {
  if (text.length <= most) return true;
  return text.length <= 2 * most && countCharacters(text) <= most;
}
