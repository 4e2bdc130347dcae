import { setTimeout as pause } from "node:timers/promises";
import { until } from "../../../../infra/start/supervisor/until.ts";
import type { Scenario, ScenarioContext } from "../scenario.ts";

const TIMES = 2;
const FULL_MS = 10_000;
const READY_MS = 60_000;

/** Fills the disk of a part twice in a row; the part may die meanwhile, and has to come back. */
async function fillTwice(
  { place, recover, log }: ScenarioContext,
  name: "postgres" | "kafka",
): Promise<readonly []> {
  const { disk, stack } = place;
  if (disk === null) throw new TypeError("the scenario needs a small disk");
  for (let n = 0; n < TIMES; n += 1) {
    log(`the disk of ${name} is full`);
    disk.fill();
    await pause(FULL_MS);
    disk.free();
    const what = `${name} to work again`;
    await until(() => stack.part(name).isReady, { timeoutMs: READY_MS, what });
    await recover();
  }
  return [];
}

export const fullPostgresDisk: Scenario = {
  name: "full-postgres-disk",
  what: "the file system of Postgres, log and data, is full for 10 s, twice in a row",
  faults: ["F14"],
  promises: ["P1", "P2", "P9"],
  seconds: 65,
  isQuick: true,
  smallDisk: "postgres",
  run: (context) => fillTwice(context, "postgres"),
};

export const fullKafkaDisk: Scenario = {
  name: "full-kafka-disk",
  what: "the file system of Kafka is full for 10 s, twice in a row",
  faults: ["F14"],
  promises: ["P1", "P2", "P9"],
  seconds: 80,
  isQuick: false,
  smallDisk: "kafka",
  run: (context) => fillTwice(context, "kafka"),
};
