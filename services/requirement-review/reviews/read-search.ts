import { isUuid } from "../../platform/ids.ts";

/** What an operator looks for: an order by its id, or a number's last digits or a text. */
export interface Search {
  readonly orderId: string | null;
  /** The last digits of a number in E.164; null where the text cannot be a number. */
  readonly digits: string | null;
  /** In lower case, part of a reference or of an account's name. */
  readonly text: string;
}

/** Fewer digits would match too many numbers to be of help. */
const FEWEST_DIGITS = 3;

export function readSearch(q: string): Search {
  const text = q.trim().toLowerCase();
  return { orderId: isUuid(text) ? text : null, digits: digitsOf(text), text };
}

/** National and international prefixes are not part of E.164: `00`, a leading `0`, and the `(0)` of `+44 (0)20`. */
function digitsOf(text: string): string | null {
  if (!/^[+\d\s()./-]+$/.test(text)) return null;
  const digits = text.replace("(0)", "").replace(/\D/g, "").replace(/^0+/, "");
  return digits.length < FEWEST_DIGITS ? null : digits;
}
