import { statusOf, type HealthMeasure, type HealthStatus } from "./health-thresholds.ts";

/** How many samples, a minute apart, a backlog may go without shrinking. */
const PATIENCE = 5;
/** Measures of which something is left over as long as nobody works it off. */
const SHRINKING: ReadonlySet<HealthMeasure> = new Set(["consumer_lag", "outbox_depth"]);

export interface Judged {
  readonly measure: HealthMeasure;
  readonly value: number;
  /** The values of the last hour, oldest first. */
  readonly earlier: readonly number[];
}

/** By the thresholds; and a backlog, however small, that has not shrunk for minutes is stuck. */
export function judgeMeasure({ measure, value, earlier }: Judged): HealthStatus {
  if (SHRINKING.has(measure) && neverShrank([...earlier.slice(-PATIENCE), value])) return "stuck";
  return statusOf(measure, value);
}

function neverShrank(values: readonly number[]): boolean {
  if (values.length <= PATIENCE || values.some((value) => value === 0)) return false;
  return values.every((value, n) => n === 0 || value >= (values[n - 1] ?? 0));
}
