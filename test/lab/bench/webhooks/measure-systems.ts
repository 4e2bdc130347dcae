import { measureFloor, type FloorFigures } from "./floor.ts";
import { measureSystem } from "./measure-system.ts";
import type { Measured } from "./measured.ts";
import { ensurePeerPackages } from "./peer-packages.ts";
import { ENDPOINTS, planOf, type Chosen, type PartName } from "./plan.ts";
import { Receiver } from "./receiver.ts";
import type { AloneOptions } from "../bench.ts";
import type { SystemName } from "./system.ts";

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
