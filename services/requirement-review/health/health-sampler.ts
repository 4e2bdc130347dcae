import type { Bus } from "../../messages/bus/bus.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";
import type { HealthReader } from "./health-reader.ts";
import { claimMinute, storeSample } from "./store/health-samples.ts";

const MINUTE_MS = 60_000;
const KEPT_MINUTES = 60;
/** So that a process that dies within its minute costs one sample at most. */
const EVERY_MS = 10_000;

/** Keeps a sample of the health for each minute of the last hour; whichever process claims the minute measures. */
export function startHealthSampler(bus: Bus, reader: HealthReader): Periodic {
  const { pool, clock, log } = bus;
  let tried = 0;
  const run = async (): Promise<void> => {
    const time = Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
    if (time === tried) return;
    const minute = new Date(time);
    const isOurs = await claimMinute(pool, minute);
    tried = time;
    if (!isOurs) return;
    const { answer, measures } = await reader.read();
    const keepFrom = new Date(time - (KEPT_MINUTES - 1) * MINUTE_MS);
    await storeSample(pool, { minute, measures, status: answer.status }, keepFrom);
  };
  return startPeriodic({ name: "sample of the health", everyMs: EVERY_MS, run, log });
}
