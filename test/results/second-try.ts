import { BROKEN_RUN, type FileCounts } from "./file-counts.ts";

/** Where more files fail than these, the code is at fault, or the machine, and running them again tells nothing. */
const MOST_FILES = 2;

/** Tests of what must hold every single time: a guarantee that is broken once is broken. */
const GUARANTEES = ["/test/attacks/", "/test/regressions/", "/test/e2e/faults/"];

/**
 * The files that may be run a second time, alone, because something else than the code may have failed them: a few, and
 * none that tests a guarantee. Empty where any failed file may not, or the run as a whole failed.
 */
export function secondTryOf(counts: readonly FileCounts[]): string[] {
  const failed = counts.filter((one) => one.failed > 0).map(({ file }) => file);
  const isFinal = (file: string): boolean =>
    file === BROKEN_RUN.file || GUARANTEES.some((part) => file.includes(part));
  return failed.length > MOST_FILES || failed.some(isFinal) ? [] : failed;
}

/** The counts of both runs: of a file that ran twice, the second's, and whatever else failed the second run. */
export function afterSecondTry(
  first: readonly FileCounts[],
  second: readonly FileCounts[],
): FileCounts[] {
  const again = new Map(second.map((counts) => [counts.file, counts]));
  const known = new Set(first.map(({ file }) => file));
  return [
    ...first.map((counts) => again.get(counts.file) ?? counts),
    ...second.filter(({ file }) => !known.has(file)),
  ];
}
