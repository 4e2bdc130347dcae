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

const KIB = 1024;
const MIB = 1024 * KIB;

/** A bound as the documentation names it: whole MiB or KiB where it is one, such as `20 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes >= MIB && bytes % MIB === 0) return `${bytes / MIB} MiB`;
  if (bytes >= KIB && bytes % KIB === 0) return `${bytes / KIB} KiB`;
  return `${bytes.toLocaleString("en")} bytes`;
}
