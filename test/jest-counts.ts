import { z } from "zod";

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
});

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** The counts of a Jest report (--json); a file that could not be run is one failure. */
export function countsOf(json: string): Counts {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = report.parse(
    JSON.parse(json),
  );
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

export function sum(counts: readonly Counts[]): Counts {
  return {
    passed: counts.reduce((total, { passed }) => total + passed, 0),
    failed: counts.reduce((total, { failed }) => total + failed, 0),
  };
}
