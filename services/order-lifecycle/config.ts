import { z } from "zod";
import type { WaitSpans } from "../domain/deadline/deadline.ts";
import { busConfigShape, databaseRole, healthPortShape } from "../messages/bus/bus-config.ts";
import { decimal, durationMs, readEnv } from "../platform/config.ts";

const schema = z.object({
  ...busConfigShape,
  ...healthPortShape,
  DATABASE_ROLE: databaseRole("porting_order_lifecycle"),
  DEADLINE_POLL: durationMs("500ms"),
  /** How long a draft may lie untouched; decimals, 0 switches it off, as with the others below. */
  DRAFT_EXPIRY_DAYS: decimal({ fallback: 30 }),
  /** How long a rejection may stay unanswered. */
  REJECTION_EXPIRY_DAYS: decimal({ fallback: 14 }),
  /** How long after the confirmed date the carrier may take to begin. */
  FOC_GRACE_HOURS: decimal({ fallback: 24 }),
  /** How long a carrier may leave a request without a word. */
  CARRIER_SILENCE_HOURS: decimal({ fallback: 48 }),
  /** How long a port-out waits for a decision before it goes ahead. */
  PORT_OUT_DECISION_HOURS: decimal({ fallback: 24 }),
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type OrderLifecycleConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): OrderLifecycleConfig {
  return readEnv(schema, env);
}

/** How long the waits last, in milliseconds. */
export function waitSpans(config: OrderLifecycleConfig): WaitSpans {
  return {
    draft_expiry: config.DRAFT_EXPIRY_DAYS * DAY_MS,
    rejection_expiry: config.REJECTION_EXPIRY_DAYS * DAY_MS,
    foc_grace: config.FOC_GRACE_HOURS * HOUR_MS,
    carrier_silence: config.CARRIER_SILENCE_HOURS * HOUR_MS,
  };
}

/** How long a port-out waits for its decision, in milliseconds. */
export function portOutDecisionMs(config: OrderLifecycleConfig): number {
  return config.PORT_OUT_DECISION_HOURS * HOUR_MS;
}
