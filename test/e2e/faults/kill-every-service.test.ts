/** @tier nightly */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { runFaults } from "../../lab/faults/fault-run.ts";
import { startFaultReceiver, type FaultReceiver } from "../../lab/faults/fault-receiver.ts";
import { killAtRandom, serviceTargets } from "../../lab/faults/killer.ts";
import { STEADY } from "../../lab/faults/load.ts";
import { replayEverything } from "../../lab/faults/replay.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

const CHANGES = 300;
const KILLS = 8;

let product: OwnProduct;
let receiver: FaultReceiver;

beforeAll(async () => {
  [product, receiver] = await Promise.all([startOwnProduct(), startFaultReceiver()]);
});

/** A short version of `npm run faults`, which also kills Postgres, Kafka and the registry, and runs for longer. */
describe("the product under SIGKILL of every service", () => {
  it("loses nothing, repeats no effect and delivers every webhook", async () => {
    const killed: string[] = [];
    const report = await runFaults({
      product,
      receiver,
      seed: 3,
      changes: CHANGES,
      load: STEADY,
      disturb: ({ random, progress }) =>
        killAtRandom({
          targets: serviceTargets(product.supervisor),
          kills: KILLS,
          pauseMs: [1_000, 2_000],
          random,
          isOver: () => progress.failed,
          recover: () => Promise.resolve(),
          onKill: (name) => killed.push(name),
        }),
      log: () => undefined,
    });
    expect(report.acknowledged).toBeGreaterThanOrEqual(CHANGES);
    expect(killed).toHaveLength(KILLS);
    expect(Object.values(report.breaches).flat()).toEqual([]);
  }, 180_000);

  it("changes nothing when every topic is read again from the start", async () => {
    expect(await replayEverything(product)).toEqual([]);
  });
});
