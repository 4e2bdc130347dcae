/** @tier nightly */
import { describe, expect, it } from "@jest/globals";
import { waitUntilInSync } from "../../lab/faults/clusters/open-cluster.ts";
import { runInCluster } from "../../lab/faults/clusters/cluster-scenario.ts";

const RUN_MS = 600_000;
const READY_MS = 180_000;

/** A short version of `npm run faults:clusters`. */
describe("three brokers and two copies of each service under load", () => {
  it(
    "lose no request and no message where a broker is killed and copies are restarted",
    async () => {
      const context = { seed: 1, log: () => undefined };
      const size = { context, kafkaNodes: 3, copies: 2 } as const;
      const { figures, breaches } = await runInCluster(size, async (cluster) => {
        await waitUntilInSync(cluster);
        const { stack, product } = cluster;
        stack.part("kafka#2").kill();
        for (const name of [
          "api",
          "desk",
          "requirement-review",
          "outbox-relay",
          "webhook-sender",
        ] as const) {
          const { program } = product.supervisor.service(name);
          program.kill("SIGTERM");
          await program.whenReady(READY_MS);
        }
        await stack.part("kafka#2").whenReady(READY_MS);
      });
      expect(Object.values(breaches).flat()).toEqual([]);
      expect(figures["failed_requests"]).toBe(0);
      expect(figures["orders"]).toBeGreaterThan(0);
    },
    RUN_MS,
  );
});
