import type { NumberParts } from "../../../domain/number/rules/national-number.ts";

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
export function findNumbers(page: string, numbers: readonly NumberParts[]): ReadonlySet<number> {
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
