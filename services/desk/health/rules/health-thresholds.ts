/** From fine to worst. */
export const HEALTH_STATUSES = ["ok", "slow", "stuck"] as const;

export type HealthStatus = (typeof HEALTH_STATUSES)[number];

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** From which value a measure counts as slow, and from which as stuck. */
export const HEALTH_THRESHOLDS = {
  /** Messages that a consumer group has yet to read. */
  consumer_lag: { slow: 1_000, stuck: 20_000 },
  /** Rows that the relay has yet to publish. */
  outbox_depth: { slow: 2_000, stuck: 50_000 },
  /** Seconds for which the oldest of them has waited. */
  outbox_age: { slow: 10, stuck: 2 * MINUTE_S },
  /** Bytes of the database's log that the relay has yet to confirm; ours keeps 4 GB of it at most. */
  outbox_log: { slow: 1_000_000_000, stuck: 3_000_000_000 },
  /** Retry timers that have yet to fire: many mean failing receivers, which is not our fault. */
  retry_depth: { slow: 10_000, stuck: 200_000 },
  /** Seconds for which the oldest delivery has been undelivered; within the 8 h 36 min of the default retry schedule. */
  delivery_age: { slow: HOUR_S, stuck: 4 * HOUR_S },
  /** Seconds for which a provider has said nothing although an order waits for its acknowledgement. */
  provider_silence: { slow: 24 * HOUR_S, stuck: 72 * HOUR_S },
} as const satisfies Record<string, { readonly slow: number; readonly stuck: number }>;

export type HealthMeasure = keyof typeof HEALTH_THRESHOLDS;

function statusOf(measure: HealthMeasure, value: number): HealthStatus {
  const { slow, stuck } = HEALTH_THRESHOLDS[measure];
  if (value >= stuck) return "stuck";
  return value >= slow ? "slow" : "ok";
}

/** The worst of several; ok for none. */
export function worstOf(statuses: readonly HealthStatus[]): HealthStatus {
  return HEALTH_STATUSES.findLast((one) => statuses.includes(one)) ?? "ok";
}

/** How many samples, a minute apart, a backlog may go without shrinking. */
const PATIENCE = 5;
/** Measures of which something is left over as long as nobody works it off. */
const SHRINKING: ReadonlySet<HealthMeasure> = new Set(["consumer_lag", "outbox_depth"]);

interface Judged {
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
