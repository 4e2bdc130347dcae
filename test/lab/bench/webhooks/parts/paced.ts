import { quantile } from "../../bench.ts";
import type { HangingFigures, LatencyFigures } from "../measured.ts";
import { monotonicMs } from "../monotonic-ms.ts";
import { ENDPOINTS, EVENTS_PER_SECOND } from "../plan.ts";
import type { Received, Receiver } from "../receiver.ts";
import { metered, type PartContext } from "./part-context.ts";

/** A delivery that has not arrived this long after the last event is recorded as arriving then. */
export const PATIENCE_MS = 60_000;
const HANGING = ENDPOINTS - 1;

/** Waits until `count` deliveries have arrived, and no longer than the patience. */
export async function allReceived(receiver: Receiver, count: number): Promise<void> {
  await receiver.whenReceived(count, PATIENCE_MS).catch(() => undefined);
}

/** From the confirmed commit to receipt, with one endpoint. */
export async function measureLatency(context: PartContext): Promise<LatencyFigures> {
  const { system, plan } = context;
  await system.useEndpoints(1);
  await waitsAt(context, { seconds: plan.warmSeconds, endpoints: 1 });
  const { waits } = await waitsAt(context, { seconds: plan.pacedSeconds, endpoints: 1 });
  return { p50Ms: quantile(waits, 0.5), p99Ms: quantile(waits, 0.99) };
}

/** The same with ten endpoints: all healthy, then with the last one hanging. */
export async function measureHanging(context: PartContext): Promise<HangingFigures> {
  const { system, plan } = context;
  const endpoints = ENDPOINTS;
  await system.useEndpoints(endpoints);
  await waitsAt(context, { seconds: plan.warmSeconds, endpoints });
  const healthy = await waitsAt(context, { seconds: plan.pacedSeconds, endpoints });
  const ill = await waitsAt(context, { seconds: plan.pacedSeconds, endpoints, hanging: HANGING });
  return {
    baselineP99Ms: quantile(healthy.waits, 0.99),
    p99Ms: quantile(ill.waits, 0.99),
    socketsHeld: ill.received.heldMost,
  };
}

interface Stretch {
  readonly seconds: number;
  readonly perSecond?: number;
  readonly endpoints: number;
  readonly hanging?: number;
}

interface Waits {
  /** The latency of each receipt at the endpoints that do not hang; what was refused has waited 60 s. */
  readonly waits: readonly number[];
  readonly received: Received;
  /** Deliveries that did not arrive, also those of refused orders. */
  readonly missing: number;
}

/** Orders at a steady rate, each an event. */
export async function waitsAt(
  context: PartContext,
  { seconds, endpoints, hanging, perSecond = EVENTS_PER_SECOND }: Stretch,
): Promise<Waits> {
  const { system, receiver, log } = context;
  const count = seconds * perSecond;
  const healthy = Array.from({ length: endpoints }, (_, n) => n).filter((n) => n !== hanging);
  await receiver.reset(hanging ?? null);
  let answered: ReadonlyMap<string, number> = new Map();
  await metered(context, async () => {
    answered = await system.pace({ count, perSecond });
    await allReceived(receiver, answered.size * healthy.length);
  });
  const endedMs = monotonicMs();
  const received = await receiver.take((endpoint) => system.secretOf(endpoint));
  const arrivals = new Map(
    received.receipts.map(([id, endpoint, at]) => [`${id} ${endpoint}`, at]),
  );
  const refused = Array.from({ length: count - answered.size }, () => PATIENCE_MS);
  const waits = [...answered].flatMap(([eventId, answeredMs]) =>
    healthy.map((endpoint) => {
      const at = arrivals.get(`${eventId} ${endpoint}`) ?? endedMs;
      // Negative where the webhook arrived before the commit was confirmed.
      return Math.max(0, at - answeredMs);
    }),
  );
  const missing = Math.max(0, count * healthy.length - (await receiver.count()));
  if (missing > 0) {
    const why = `${refused.length} orders were refused`;
    log(`  ${missing} deliveries had not arrived after ${PATIENCE_MS / 1_000} s; ${why}`);
  }
  return { waits: [...waits, ...healthy.flatMap(() => refused)], received, missing };
}
