import { setTimeout as pause } from "node:timers/promises";
import type { ClusterContext, ClusterReport } from "./cluster-scenario.ts";
import { waitUntilInSync } from "./kafka-nodes.ts";
import { runInCluster, withoutFailures } from "./run-in-cluster.ts";

const AWAY_MS = 20_000;
const READY_MS = 90_000;
/** Without Kafka no order goes on, but new ones are made. */
const LEAST_ACCEPTED = 20;

/** Two of three brokers are away for a while: nothing is published, the API accepts, and all follows afterwards. */
export async function run(context: ClusterContext): Promise<ClusterReport> {
  let accepted = 0;
  const size = { context, kafkaNodes: 3, copies: 1 } as const;
  const report = await runInCluster(size, async (cluster, { record }) => {
    await waitUntilInSync(cluster);
    const programs = [cluster.stack.part("kafka#2"), cluster.stack.part("kafka#3")];
    context.log("killing two brokers");
    await Promise.all(programs.map((program) => program.stop(0)));
    const before = record.acknowledged.length;
    await pause(AWAY_MS);
    accepted = record.acknowledged.length - before;
    context.log(`${accepted} changes were accepted without them; starting them again`);
    for (const program of programs) program.start();
    await Promise.all(programs.map((program) => program.whenReady(READY_MS)));
    await waitUntilInSync(cluster);
  });
  const few = accepted < LEAST_ACCEPTED ? [`only ${accepted} changes accepted`] : [];
  const { figures, breaches } = withoutFailures(report);
  return {
    figures: { ...figures, accepted_without_kafka: accepted },
    breaches: { ...breaches, accepted: few },
  };
}
