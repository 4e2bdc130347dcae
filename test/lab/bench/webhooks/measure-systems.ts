import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { toStorable } from "../../../../services/domain/event/rules/storable-event.ts";
import {
  signatureHeaders,
  newSigningSecret,
} from "../../../../services/domain/webhook/rules/signature.ts";
import { freshEvent } from "../../../support/orders/event-factory.ts";
import type { AloneOptions } from "../bench.ts";
import { monotonicMs } from "./usage.ts";
import { startOurs } from "./ours.ts";
import {
  measureBurst,
  measureHanging,
  measureLatency,
  measureSoak,
  measureSteady,
  type PartContext,
} from "./parts.ts";
import { ensurePeerPackages, startPeer } from "./peer.ts";
import { ENDPOINTS, planOf, type Chosen, type PartName } from "./plan.ts";
import { Receiver } from "./receiver.ts";
import type { Measured, SystemName } from "./system.ts";

const IN_FLIGHT = 128;

export interface FloorFigures {
  readonly perSecond: number;
  readonly cpuMsPerDelivery: number;
}

/** Only signed POSTs by undici from this process, to each endpoint in turn. */
async function measureFloor(
  receiver: Receiver,
  { deliveries, endpoints }: { readonly deliveries: number; readonly endpoints: number },
): Promise<FloorFigures> {
  const client = new Agent();
  const secret = newSigningSecret();
  const { id, type, body } = toStorable(freshEvent(crypto.randomUUID()));
  let begun = 0;
  const post = async (url: string): Promise<void> => {
    const signed = signatureHeaders({ eventId: id, body, at: new Date(), secrets: [secret] });
    const headers = {
      "Content-Type": "application/json",
      "Porting-Event-Id": id,
      "Porting-Event-Type": type,
      ...signed,
    };
    const answer = await request(url, { method: "POST", headers, body, dispatcher: client });
    await answer.body.dump();
  };
  const postAll = async (until: number): Promise<void> => {
    while (begun < until) {
      begun += 1;
      await post(receiver.urls[begun % endpoints] ?? "");
    }
  };
  const all = async (until: number): Promise<void> => {
    await Promise.all(Array.from({ length: IN_FLIGHT }, () => postAll(until)));
  };
  await receiver.reset();
  const warm = Math.ceil(deliveries / 4);
  await all(warm);
  const [before, startedMs] = [process.cpuUsage(), monotonicMs()];
  await all(warm + deliveries);
  const seconds = (monotonicMs() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(before);
  await receiver.take(() => secret);
  await client.destroy();
  return {
    perSecond: deliveries / seconds,
    cpuMsPerDelivery: (user + system) / 1_000 / deliveries,
  };
}

export interface MeasureOptions extends Omit<PartContext, "system"> {
  readonly parts: readonly PartName[];
}

export interface SystemMeasured {
  readonly measured: Measured;
  /** Why the remaining parts were not measured. */
  readonly problem: string | null;
}

/** Starts a system in an empty folder, measures its parts one after the other, and removes it. */
async function measureSystem(name: SystemName, options: MeasureOptions): Promise<SystemMeasured> {
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

export interface Comparison extends Chosen, Pick<AloneOptions, "log"> {
  readonly systems: readonly SystemName[];
  readonly parts: readonly PartName[];
}

/** What each system showed; one that could not be measured is missing, ours never. */
export type Results = ReadonlyMap<SystemName, Measured>;

/** Measures the systems one after the other. @throws where ours cannot be measured */
export async function measureSystems({
  systems,
  parts,
  log,
  ...chosen
}: Comparison): Promise<Results> {
  const receiver = await Receiver.start(ENDPOINTS);
  const results = new Map<SystemName, Measured>();
  const plan = planOf(chosen);
  try {
    for (const name of systems) {
      const missing = name === "ours" ? null : peerProblem(log);
      const options = { receiver, plan, parts, log };
      const done =
        missing === null
          ? await measureSystem(name, options)
          : { measured: null, problem: missing };
      if (done.measured !== null) results.set(name, done.measured);
      if (done.problem === null) continue;
      if (name === "ours") throw new Error(`ours: ${done.problem}`);
      log(`${name}: not measured: ${done.problem}`);
    }
    return results;
  } finally {
    await receiver.stop();
  }
}

function peerProblem(log: (line: string) => void): string | null {
  try {
    ensurePeerPackages(log);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Signed requests without anything that records them, to one endpoint and to ten. */
export async function measureFloors(): Promise<{ one: FloorFigures; ten: FloorFigures }> {
  const receiver = await Receiver.start(ENDPOINTS);
  const { eventsToOne, eventsToTen } = planOf({});
  try {
    return {
      one: await measureFloor(receiver, { deliveries: eventsToOne, endpoints: 1 }),
      ten: await measureFloor(receiver, {
        deliveries: eventsToTen * ENDPOINTS,
        endpoints: ENDPOINTS,
      }),
    };
  } finally {
    await receiver.stop();
  }
}
