import { setTimeout as pause } from "node:timers/promises";
import type { IdleFigures } from "../measured.ts";
import { totalOf } from "../usage.ts";
import { metered, type PartContext } from "./part-context.ts";

/** CPU without requests or events. */
export async function measureIdle(context: PartContext): Promise<IdleFigures> {
  const { settleSeconds, idleSeconds } = context.plan;
  await pause(settleSeconds * 1_000);
  const { seconds, elapsedSeconds } = await metered(context, async () => {
    await pause(idleSeconds * 1_000);
  });
  const percentOf = (used: number): number => (used * 100) / elapsedSeconds;
  return {
    percentOfCore: percentOf(totalOf(seconds)),
    percentByProcess: new Map([...seconds].map(([name, used]) => [name, percentOf(used)])),
  };
}
