/** A code that somebody issues, such as a postcode: it may be typed loosely and is kept in one normal form. */
export interface Code {
  /** As `acceptance_criteria` names it. */
  readonly name: string;
  /** What it is made of, to follow "It must be". */
  readonly form: string;
  /** Of the normal form; anchored. */
  readonly pattern: RegExp;
  readonly normalize: (text: string) => string;
  /** Whether the check characters of a code of the right form are right; absent where it has none. */
  readonly isConsistent?: (normal: string) => boolean;
}

/** Upper case, without the spaces, dots and hyphens that people group a code with. */
export function compact(text: string): string {
  return text.toUpperCase().replaceAll(/[\s.-]/gu, "");
}

/** Compact, with a space before the last three: postcodes of Great Britain and Canada. */
export function spacedPostcode(text: string): string {
  return compact(text).replace(/(?=.{3}$)/u, " ");
}

/** The code in its normal form; null where it is none, or its check characters are wrong. */
export function readCode(code: Code, text: string): string | null {
  const normal = code.normalize(text);
  if (!code.pattern.test(normal)) return null;
  return code.isConsistent?.(normal) === false ? null : normal;
}
