import { setTimeout as pause } from "node:timers/promises";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { median, quantile } from "../bench.ts";
import { descriptorsOf, memoryOf, monotonicMs, startMeter, totalOf, type Usage } from "./usage.ts";
import { ENDPOINTS, EVENTS_PER_SECOND, type Plan } from "./plan.ts";
import type { Received, Receiver } from "./receiver.ts";
import type {
  BurstFigures,
  HangingFigures,
  LatencyFigures,
  SoakFigures,
  SoakStretch,
  SteadyFigures,
  WebhookSystem,
} from "./system.ts";

/** The context in which a part measures. */
export interface PartContext {
  readonly system: WebhookSystem;
  readonly receiver: Receiver;
  readonly plan: Plan;
  readonly log: (line: string) => void;
}

/** The system's usage while the work runs. */
async function metered({ system }: PartContext, work: () => Promise<void>): Promise<Usage> {
  const read = startMeter(system.processes);
  await work();
  return read();
}

/** A delivery that has not arrived this long after the last event is recorded as arriving then. */
const PATIENCE_MS = 60_000;
const HANGING = ENDPOINTS - 1;

/** Waits until `count` deliveries have arrived, and no longer than the patience. */
async function allReceived(receiver: Receiver, count: number): Promise<void> {
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
async function waitsAt(
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

const LIMIT_MS = 120_000;
/** Time for the work after a delivery: completing jobs, committing offsets, marking rows. */
const AFTERMATH_MS = 500;
const WARM_SHARE = 0.1;

/** Bursts of events to several endpoints; returns the median rate and the total CPU. */
export async function measureBurst(
  context: PartContext,
  { events, endpoints }: { readonly events: number; readonly endpoints: number },
): Promise<BurstFigures> {
  const { system, plan, log } = context;
  await system.useEndpoints(endpoints);
  await deliver(context, Math.ceil(events * WARM_SHARE), endpoints);
  const rates: number[] = [];
  const seconds = new Map<string, number>();
  const stored = await system.storedBytes();
  for (let round = 0; round < plan.rounds; round += 1) {
    const usage = await metered(context, async () => {
      rates.push(await deliver(context, events, endpoints));
      await pause(AFTERMATH_MS);
    });
    for (const [name, used] of usage.seconds) seconds.set(name, (seconds.get(name) ?? 0) + used);
    log(`  ${Math.round(rates.at(-1) ?? 0)} deliveries/s`);
  }
  const deliveries = plan.rounds * events * endpoints;
  const msPerDelivery = 1_000 / deliveries;
  return {
    perSecond: median(rates),
    cpuMsPerDelivery: totalOf(seconds) * msPerDelivery,
    cpuMsByProcess: new Map([...seconds].map(([name, used]) => [name, used * msPerDelivery])),
    bytesPerDelivery: ((await system.storedBytes()) - stored) / deliveries,
    memoryMibByProcess: memoryOf(system.processes),
  };
}

/** Runs one burst to its end; returns deliveries a second. */
async function deliver(
  { system, receiver, log }: PartContext,
  events: number,
  endpoints: number,
): Promise<number> {
  const deliveries = events * endpoints;
  const before = await system.recorded();
  await receiver.reset();
  const commit = await system.prepareBurst(events);
  const startedMs = monotonicMs();
  await Promise.all([commit(), receiver.whenReceived(deliveries, LIMIT_MS)]);
  await until(async () => (await system.recorded()) - before >= deliveries, {
    timeoutMs: LIMIT_MS,
    what: `${deliveries} deliveries to be recorded`,
    everyMs: 20,
  });
  const seconds = (monotonicMs() - startedMs) / 1_000;
  const { receipts } = await receiver.take((endpoint) => system.secretOf(endpoint));
  const once = new Set(receipts.map(([eventId, endpoint]) => `${eventId} ${endpoint}`));
  if (once.size < deliveries)
    throw new Error(`${deliveries - once.size} deliveries did not arrive`);
  if (receipts.length > once.size) log(`  ${receipts.length - once.size} arrived twice`);
  return deliveries / seconds;
}

/** The whole is measured in so many stretches, of which the first and the last are compared. */
const STRETCHES = 6;
const MINUTE_MS = 60_000;
/** Orders at a steady rate without a look at what has arrived. */
const STEP_SECONDS = 10;
const CAPACITY_ORDERS = 2_000;
const CAPACITY_MS = 120_000;
const HALF = 0.5;

/** Half of the orders a second that can be created and delivered, for as long as the plan says. */
export async function measureSoak(context: PartContext): Promise<SoakFigures> {
  const { system, plan, log } = context;
  await system.useEndpoints(1);
  await capacityOf(context);
  const perSecond = Math.max(1, Math.floor((await capacityOf(context)) * HALF));
  log(`  ${perSecond} orders/s for ${plan.soakMinutes} minutes`);
  const stretches: SoakStretch[] = [];
  let before = await system.bloat();
  for (let n = 0; n < STRETCHES; n += 1) {
    const { waits, missing } = await ordersFor(context, perSecond);
    const after = await system.bloat();
    const memory = memoryOf(system.processes);
    stretches.push({
      p50Ms: quantile(waits, 0.5),
      p99Ms: quantile(waits, 0.99),
      missing,
      bytesPerOrder: (after.bytes - before.bytes) / waits.length,
      deadRowsPercent: (after.deadRows * 100) / Math.max(1, after.deadRows + after.liveRows),
      memoryMibByProcess: memory,
      descriptors: totalOf(descriptorsOf(system.processes)),
    });
    log(`  stretch ${n + 1} of ${STRETCHES}: ${Math.round(totalOf(memory))} MiB`);
    before = after;
  }
  return { perSecond, stretches };
}

/** Orders a second, from the first request to the last delivery. */
async function capacityOf({ system, receiver }: PartContext): Promise<number> {
  await receiver.reset();
  const startedMs = monotonicMs();
  await system.pace({ count: CAPACITY_ORDERS, perSecond: CAPACITY_ORDERS });
  await receiver.whenReceived(CAPACITY_ORDERS, CAPACITY_MS);
  return (CAPACITY_ORDERS * 1_000) / (monotonicMs() - startedMs);
}

interface Orders {
  /** From answer to receipt. */
  readonly waits: readonly number[];
  readonly missing: number;
}

async function ordersFor(context: PartContext, perSecond: number): Promise<Orders> {
  const endsAt = performance.now() + (context.plan.soakMinutes * MINUTE_MS) / STRETCHES;
  const waits: number[] = [];
  let missing = 0;
  while (performance.now() < endsAt) {
    const step = await waitsAt(context, { seconds: STEP_SECONDS, perSecond, endpoints: 1 });
    waits.push(...step.waits);
    missing += step.missing;
  }
  return { waits, missing };
}

/** Events at a steady rate to one endpoint, one commit each. One that is refused or does not arrive has waited 60 s. */
export async function measureSteady(
  context: PartContext,
  perSecond: number,
): Promise<SteadyFigures> {
  const { system, receiver, plan, log } = context;
  await system.useEndpoints(1);
  await receiver.reset();
  const warm = await system.paceCommits({ count: plan.warmSeconds * perSecond, perSecond });
  await allReceived(receiver, warm.size);
  await receiver.reset();
  const count = plan.steadySeconds * perSecond;
  const stored = await system.storedBytes();
  const transactions = await system.transactions();
  let committed: ReadonlyMap<string, number> = new Map();
  const usage = await metered(context, async () => {
    committed = await system.paceCommits({ count, perSecond });
    await allReceived(receiver, committed.size);
  });
  const ended = (await system.transactions()) - transactions;
  const { receipts } = await receiver.take((endpoint) => system.secretOf(endpoint));
  const arrivals = new Map(receipts.toReversed().map(([id, , at]) => [id, at]));
  const waits = [...committed]
    .flatMap(([id, committedAt]) => {
      const at = arrivals.get(id);
      return at === undefined ? [] : [{ at, waited: Math.max(0, at - committedAt) }];
    })
    .toSorted((a, b) => a.at - b.at);
  const missing = Array.from({ length: count - waits.length }, () => PATIENCE_MS);
  const all = [...waits.map(({ waited }) => waited), ...missing];
  const arrived = Math.max(1, waits.length);
  const byMinute = waitsByMinute(waits).map(
    (minute) => `${quantile(minute, 0.5).toFixed(0)}/${quantile(minute, 0.99).toFixed(0)}`,
  );
  log(`  p50/p99 by minute: ${byMinute.join(", ")} ms`);
  return {
    perSecond: rateOf([...committed.values()]),
    p50Ms: quantile(all, 0.5),
    p99Ms: quantile(all, 0.99),
    arrivedPercent: (waits.length * 100) / count,
    cpuMsPerDelivery: (totalOf(usage.seconds) * 1_000) / arrived,
    transactionsPerEvent: ended / arrived,
    bytesPerDelivery: ((await system.storedBytes()) - stored) / arrived,
    cpuMsByProcess: new Map(
      [...usage.seconds].map(([name, used]) => [name, (used * 1_000) / arrived]),
    ),
  };
}

/** A second, from the first moment to the last. */
function rateOf(momentsMs: readonly number[]): number {
  const sorted = momentsMs.toSorted((a, b) => a - b);
  const ms = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  return ms === 0 ? 0 : ((sorted.length - 1) * 1_000) / ms;
}

interface Wait {
  readonly at: number;
  readonly waited: number;
}

/** Of `waits` in their order; a minute in which nothing came is left out. */
function waitsByMinute(waits: readonly Wait[]): number[][] {
  const from = waits[0]?.at ?? 0;
  const minutes = new Map<number, number[]>();
  for (const { at, waited } of waits) {
    const minute = Math.floor((at - from) / MINUTE_MS);
    const ofMinute = minutes.get(minute) ?? [];
    ofMinute.push(waited);
    minutes.set(minute, ofMinute);
  }
  return [...minutes.values()];
}
