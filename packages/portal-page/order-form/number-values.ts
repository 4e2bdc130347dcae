import type { Requirement } from "../orders/order-words.ts";
import { e164Of } from "./given-values.ts";

export type NumberValue = NonNullable<Requirement["values"]>[number];

/** The values of a requirement of which each of several numbers has its own. */
export function valuesOf({ values = [] }: Requirement): readonly NumberValue[] {
  return values.length > 1 ? values : [];
}

/** Under which what is typed for a number is kept, and what is wrong with it. */
export function nameOfNumber(slug: string, number: string): string {
  return `${slug}/${number}`;
}

/** A number as people write it, and after a separator its value. */
const WITH_NUMBER = /^(\+?[\d\s().-]{6,}?)(?:\s*[,;:\t|]\s*|\s+)(\S+)$/;

/**
 * What a pasted list gives, by number: lines that name their number, or plain values for the numbers in turn, from the one
 * that it was pasted into; null where it is no list.
 */
export function pastedValues(
  text: string,
  numbers: readonly string[],
  { from, country }: { readonly from: string; readonly country: string },
): ReadonlyMap<string, string> | null {
  const lines = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length < 2) return null;
  const named = lines.flatMap((line): [string, string][] => {
    const [, number, value] = WITH_NUMBER.exec(line) ?? [];
    const e164 = number === undefined ? "" : e164Of(number, country);
    return value !== undefined && numbers.includes(e164) ? [[e164, value]] : [];
  });
  if (named.length > 0) return new Map(named);
  const at = Math.max(numbers.indexOf(from), 0);
  return new Map(numbers.slice(at, at + lines.length).map((number, n) => [number, lines[n] ?? ""]));
}
