import { quantile } from "../../bench.ts";
import type { SteadyFigures } from "../measured.ts";
import { totalOf } from "../usage.ts";
import { allReceived, PATIENCE_MS } from "./paced.ts";
import { metered, type PartContext } from "./part-context.ts";

const MINUTE_MS = 60_000;

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
