/** An issued code such as a postcode; it may be entered in various forms and is stored in one normal form. */
export interface Code {
  /** Its name in `acceptance_criteria`. */
  readonly name: string;
  /** A description that follows "It must be". */
  readonly form: string;
  /** Matches the normal form; anchored. */
  readonly pattern: RegExp;
  readonly normalize: (text: string) => string;
  /** Whether the check characters of a code of the right form are valid; absent if it has none. */
  readonly isConsistent?: (normal: string) => boolean;
  /** Present if the code belongs to a number, which its check characters cover. */
  readonly ofNumber?: CodeOfNumber;
}

/** How a code that is issued for one phone number is compared with the numbers of an order. */
interface CodeOfNumber {
  /** The fault's code and text where the code fits none of the order's numbers. */
  readonly fault: string;
  readonly detail: string;
  readonly fits: (normal: string, phoneNumber: string) => boolean;
  /** A code that fits the number. */
  readonly example: (phoneNumber: string) => string;
}

/** Upper case, without the spaces, dots and hyphens used for grouping. */
export function compact(text: string): string {
  return text.toUpperCase().replaceAll(/[\s.-]/gu, "");
}

/** Compact, with a space before the last three characters: British and Canadian postcodes. */
export function spacedPostcode(text: string): string {
  return compact(text).replace(/(?=.{3}$)/u, " ");
}

/** The code in its normal form; null if its form or its check characters are wrong. */
export function readCode(code: Code, text: string): string | null {
  const normal = code.normalize(text);
  if (!code.pattern.test(normal)) return null;
  return code.isConsistent?.(normal) === false ? null : normal;
}
