import { beforeAll, describe, expect, it } from "@jest/globals";
import { runLogFaults } from "../../lab/faults/log/log-run.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

const EVENTS = 3_000;
const WRITERS = 20;

let product: OwnProduct;

beforeAll(async () => {
  product = await startOwnProduct({
    services: ["api", "desk", "outbox-relay", "event-log", "webhook-sender"],
  });
});

/** A short version of `npm run faults:log`. */
describe("the event log under SIGKILL of both its consumers", () => {
  it("gives a paging client and a streaming client exactly the committed events in one order", async () => {
    const report = await runLogFaults({
      product,
      seed: 3,
      writers: WRITERS,
      events: EVENTS,
      pauseMs: 500,
      killEveryMs: 1_500,
      catchUpMs: 90_000,
      log: () => undefined,
    });
    expect(report.events).toBe(EVENTS);
    expect(report.kills).toBeGreaterThan(0);
    expect(report.reconnects).toBeGreaterThan(0);
    expect(Object.values(report.breaches).flat()).toEqual([]);
  });
});
