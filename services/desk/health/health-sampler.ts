import type { Bus } from "../../messages/bus/bus.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";
import type { HealthReader } from "./health-reader.ts";
import { healthGauges } from "./health-metrics.ts";
import { claimMinute, newestSample, storeSample } from "./store/health-samples.ts";

const MINUTE_MS = 60_000;
const RETAINED_MINUTES = 60;
/** So that a process that dies within its minute costs one sample at most. */
const EVERY_MS = 10_000;

/**
 * Keeps a sample of the health for each minute of the last hour; whichever process claims the minute measures. The newest
 * is in the metrics of every process.
 */
export function startHealthSampler(bus: Bus, reader: HealthReader): Periodic {
  const { pool, clock, metrics, log } = bus;
  const show = healthGauges(metrics);
  let [tried, shown] = [0, 0];
  const measure = async (time: number): Promise<void> => {
    const minute = new Date(time);
    const isOurs = await claimMinute(pool, minute);
    tried = time;
    if (!isOurs) return;
    const { answer, measures } = await reader.read();
    const retainFrom = new Date(time - (RETAINED_MINUTES - 1) * MINUTE_MS);
    await storeSample(pool, { minute, measures, status: answer.status }, retainFrom);
  };
  const run = async (): Promise<void> => {
    const time = Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
    if (time !== tried) await measure(time);
    if (time === shown) return;
    const newest = await newestSample(pool);
    if (newest === null || newest.minute.getTime() === shown) return;
    shown = newest.minute.getTime();
    show(newest);
  };
  return startPeriodic({ name: "sample of the health", everyMs: EVERY_MS, run, log });
}
