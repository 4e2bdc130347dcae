import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Measured } from "./measured.ts";
import { startOurs } from "./ours.ts";
import { measureBurst } from "./parts/burst.ts";
import { measureHanging, measureLatency } from "./parts/paced.ts";
import { measureSoak } from "./parts/soak.ts";
import { measureSteady } from "./parts/steady.ts";
import type { PartContext } from "./parts/part-context.ts";
import { startPeer } from "./peer.ts";
import { ENDPOINTS, type PartName } from "./plan.ts";
import type { SystemName } from "./system.ts";

export interface MeasureOptions extends Omit<PartContext, "system"> {
  readonly parts: readonly PartName[];
}

export interface SystemMeasured {
  readonly measured: Measured;
  /** Why the remaining parts were not measured. */
  readonly problem: string | null;
}

/** Starts a system in an empty folder, measures its parts one after the other, and removes it. */
export async function measureSystem(
  name: SystemName,
  options: MeasureOptions,
): Promise<SystemMeasured> {
  const { receiver, log, parts } = options;
  const folder = mkdtempSync(join(tmpdir(), "porting-bench-"));
  chmodSync(folder, 0o755);
  const context = { folder, endpoints: receiver.urls, log };
  let measured: Measured = {};
  let running: PartName | "start" = "start";
  try {
    const system = await (name === "ours" ? startOurs(context) : startPeer(name, context));
    try {
      for (const part of parts) {
        running = part;
        log(`${name}: ${part} …`);
        measured = { ...measured, ...(await measurePart(part, { ...options, system })) };
      }
    } finally {
      await system.stop();
    }
    return { measured, problem: null };
  } catch (error) {
    return {
      measured,
      problem: `${running}: ${error instanceof Error ? error.message : String(error)}`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measurePart(part: PartName, context: PartContext): Promise<Measured> {
  const { eventsToOne, eventsToTen, halfPerSecond } = context.plan;
  switch (part) {
    case "burst-1":
      return { [part]: await measureBurst(context, { events: eventsToOne, endpoints: 1 }) };
    case "latency":
      return { latency: await measureLatency(context) };
    case "steady-50":
      return { [part]: await measureSteady(context, 50) };
    case "steady-200":
      return { [part]: await measureSteady(context, 200) };
    case "steady-half":
      return { [part]: await measureSteady(context, halfPerSecond) };
    case "burst-10":
      return { [part]: await measureBurst(context, { events: eventsToTen, endpoints: ENDPOINTS }) };
    case "hanging":
      return { hanging: await measureHanging(context) };
    case "soak":
      return { soak: await measureSoak(context) };
  }
}
