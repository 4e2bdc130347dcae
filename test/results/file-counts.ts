import { z } from "zod";

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
});

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

export interface FileCounts extends Counts {
  /** The absolute path of the test file. */
  readonly file: string;
}

/** What stands for a run of Jest that ended without a report, or failed although none of its files did. */
export const BROKEN_RUN: FileCounts = { file: "", passed: 0, failed: 1 };

/** The counts of each file in a Jest report (--json); a file that failed outside its tests has one failure. */
export function fileCountsOf(json: string): FileCounts[] {
  return report.parse(JSON.parse(json)).testResults.map(({ name, status, assertionResults }) => {
    const count = (wanted: string): number =>
      assertionResults.filter((one) => one.status === wanted).length;
    const failed = count("failed");
    const isBroken = status === "failed" && failed === 0;
    return { file: name, passed: count("passed"), failed: isBroken ? 1 : failed };
  });
}

export function sum(counts: readonly Counts[]): Counts {
  return {
    passed: counts.reduce((total, { passed }) => total + passed, 0),
    failed: counts.reduce((total, { failed }) => total + failed, 0),
  };
}
