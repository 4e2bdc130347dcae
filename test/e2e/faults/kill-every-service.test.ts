import { beforeAll, describe, expect, it } from "@jest/globals";
import { runFaults } from "../../faults/fault-run.ts";
import { startFaultReceiver, type FaultReceiver } from "../../faults/fault-receiver.ts";
import { replayEverything } from "../../faults/replay.ts";
import { startProduct, type Product } from "../../support/product/product.ts";

const CHANGES = 300;
const KILLS = 8;

let product: Product;
let receiver: FaultReceiver;

beforeAll(async () => {
  [product, receiver] = await Promise.all([startProduct(), startFaultReceiver()]);
});

/** A short version of `npm run faults`, which also kills Kafka and runs for longer. */
describe("the product under SIGKILL of every service", () => {
  it("loses nothing, repeats no effect and delivers every webhook", async () => {
    const report = await runFaults({
      product,
      receiver,
      seed: 3,
      changes: CHANGES,
      kills: KILLS,
      pauseMs: [1_000, 2_000],
      traffic: true,
      log: () => undefined,
    });
    expect(report.acknowledged).toBeGreaterThanOrEqual(CHANGES);
    expect(Object.values(report.kills).reduce((sum, kills) => sum + kills, 0)).toBe(KILLS);
    expect(Object.values(report.breaches).flat()).toEqual([]);
  }, 240_000);

  it("changes nothing when every topic is read again from the start", async () => {
    expect(await replayEverything(product)).toEqual([]);
  }, 240_000);
});
