import { quantile } from "../../bench.ts";
import { descriptorsOf, memoryOf, totalOf } from "../usage.ts";
import type { SoakFigures, SoakStretch } from "../measured.ts";
import { monotonicMs } from "../monotonic-ms.ts";
import { waitsAt } from "./paced.ts";
import type { PartContext } from "./part-context.ts";

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
