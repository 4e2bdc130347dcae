import { setTimeout as pause } from "node:timers/promises";
import { until } from "../../../../../infra/start/supervisor/until.ts";
import { median } from "../../bench.ts";
import type { BurstFigures } from "../measured.ts";
import { monotonicMs } from "../monotonic-ms.ts";
import { memoryOf, totalOf } from "../usage.ts";
import { metered, type PartContext } from "./part-context.ts";

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
