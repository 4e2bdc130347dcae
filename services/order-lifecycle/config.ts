import { z } from "zod";
import { carriersShape } from "../domain/carrier/read-carriers.ts";
import { expiryShape, expirySpans, type WaitSpans } from "../domain/deadline/deadline.ts";
import { busConfigShape, databaseRole, healthPortShape } from "../messages/bus/bus-config.ts";
import { decimal, durationMs, readEnv } from "../platform/config.ts";

const schema = z.object({
  ...busConfigShape,
  ...healthPortShape,
  DATABASE_ROLE: databaseRole("porting_order_lifecycle"),
  ...carriersShape,
  DEADLINE_POLL: durationMs("500ms"),
  ...expiryShape,
  /** Hours after the confirmed date by which the carrier must begin before it is asked again. Decimals; 0: never. */
  FOC_GRACE_HOURS: decimal({ fallback: 24 }),
  /** Hours without a status update before the carrier is asked again. */
  CARRIER_SILENCE_HOURS: decimal({ fallback: 48 }),
  /** Hours that a port-out waits for a decision before it proceeds without one. */
  PORT_OUT_DECISION_HOURS: decimal({ fallback: 24 }),
});

const HOUR_MS = 3_600_000;

export type OrderLifecycleConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): OrderLifecycleConfig {
  return readEnv(schema, env);
}

/** Length of the order deadlines, in milliseconds. */
export function waitSpans(config: OrderLifecycleConfig): WaitSpans {
  return {
    ...expirySpans(config),
    foc_grace: config.FOC_GRACE_HOURS * HOUR_MS,
    carrier_silence: config.CARRIER_SILENCE_HOURS * HOUR_MS,
  };
}

/** How long a port-out waits for its decision, in milliseconds. */
export function portOutDecisionMs(config: OrderLifecycleConfig): number {
  return config.PORT_OUT_DECISION_HOURS * HOUR_MS;
}
