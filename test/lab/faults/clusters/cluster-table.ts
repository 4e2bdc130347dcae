import { setTimeout as pause } from "node:timers/promises";
import type { CopyName } from "../../../../infra/start/supervisor/service-table.ts";
import { eventually } from "../../../support/eventually.ts";
import type { Described } from "../scenario-report.ts";
import {
  runInCluster,
  withoutFailures,
  type ClusterContext,
  type ClusterReport,
  type ClusterScenario,
} from "./cluster-scenario.ts";
import { busiestNode, NODES, waitUntilInSync, type Cluster } from "./open-cluster.ts";

const COPY_READY_MS = 60_000;

/** Each copy of each service is killed in turn; only requests that the killed copy was answering may fail. */
async function copiesKilled(context: ClusterContext): Promise<ClusterReport> {
  const size = { context, kafkaNodes: 1, copies: 2 } as const;
  return runInCluster(size, async ({ copies, product }) => {
    for (const name of copies) {
      const { program } = product.supervisor.service(name);
      context.log(`killing ${name}`);
      program.kill();
      await program.whenReady(COPY_READY_MS);
    }
  });
}

const READY_MS = 90_000;
const ROUNDS = 3;

/**
 * At once are killed: the broker that leads most partitions, Postgres, the relay that holds the locks, and one copy of
 * every other service.
 */
async function leadersKilled(context: ClusterContext): Promise<ClusterReport> {
  const size = { context, kafkaNodes: 3, copies: 2 } as const;
  return runInCluster(size, async (cluster) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await waitUntilInSync(cluster);
      const node = await busiestNode(cluster);
      const relay = await activeRelay(cluster);
      const others = cluster.copies.filter((name) => !name.startsWith("outbox-relay"));
      const copies = [relay, ...others.filter((name) => name.includes("#") === (round % 2 === 1))];
      context.log(`killing ${node}, postgres and ${copies.join(", ")}`);
      const programs = [
        ...[node, "postgres" as const].map((name) => cluster.stack.part(name)),
        ...copies.map((name) => cluster.product.supervisor.service(name).program),
      ];
      for (const program of programs) program.kill();
      await Promise.all(programs.map((program) => program.whenReady(READY_MS)));
    }
  });
}

const RELAYS = ["outbox-relay", "outbox-relay#2"] as const satisfies readonly CopyName[];

/** The copy of outbox-relay that publishes, which is the one that holds the locks. */
async function activeRelay(cluster: Cluster): Promise<CopyName> {
  const before = await relayed(cluster);
  return eventually(async () => {
    const now = await relayed(cluster);
    const active = RELAYS.find((_, n) => (now[n] ?? 0) > (before[n] ?? 0));
    if (active === undefined) throw new Error("no relay publishes");
    return active;
  });
}

/** How many messages each copy has published since its start. */
function relayed({ product }: Cluster): Promise<number[]> {
  return Promise.all(
    RELAYS.map(async (name) => {
      const text = await (await fetch(`${product.supervisor.service(name).url()}/metrics`)).text();
      return Number(/^relayed_total\{.*\} (\d+)$/m.exec(text)?.[1] ?? 0);
    }),
  );
}

/** Each of three brokers in turn, so the active controller too, is killed: no request fails, and webhooks go on. */
async function oneBrokerKilled(context: ClusterContext): Promise<ClusterReport> {
  const report = await runInCluster({ context, kafkaNodes: 3, copies: 1 }, async (cluster) => {
    for (const node of NODES) {
      await waitUntilInSync(cluster);
      context.log(`killing ${node}`);
      const program = cluster.stack.part(node);
      program.kill();
      await program.whenReady(READY_MS);
    }
    await waitUntilInSync(cluster);
  });
  return withoutFailures(report);
}

/** Every copy of every service is restarted, one after the other, behind load balancers: no request fails. */
async function rollingRestart(context: ClusterContext): Promise<ClusterReport> {
  const size = { context, kafkaNodes: 1, copies: 2 } as const;
  const report = await runInCluster(size, async ({ copies, product }) => {
    for (const name of copies) {
      const { program } = product.supervisor.service(name);
      const before = program.deaths;
      context.log(`restarting ${name}`);
      program.kill("SIGTERM");
      await program.whenReady(COPY_READY_MS);
      if (program.deaths === before) throw new Error(`${name} was not restarted`);
    }
  });
  return withoutFailures(report);
}

const AWAY_MS = 20_000;
/** Without Kafka no order goes on, but new ones are made. */
const LEAST_ACCEPTED = 20;

/** Two of three brokers are away for a while: nothing is published, the API accepts, and all follows afterwards. */
async function twoBrokersKilled(context: ClusterContext): Promise<ClusterReport> {
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

const PROMISES = ["P1", "P2", "P3", "P9"] as const;

/** Scenarios of several brokers and copies; the faults and promises have the numbers of docs/operations.md. */
export const CLUSTER_SCENARIOS: readonly ClusterScenario[] = [
  {
    name: "one-broker-killed",
    what: "kill -9 of each of three brokers in turn, so the active controller too",
    faults: ["F6"],
    promises: PROMISES,
    run: oneBrokerKilled,
  },
  {
    name: "two-brokers-killed",
    what: "two of three brokers away for 20 s",
    faults: ["F6"],
    promises: PROMISES,
    run: twoBrokersKilled,
  },
  {
    name: "copies-killed",
    what: "kill -9 of each copy of each service in turn",
    faults: ["F1", "F2", "F3", "F4", "F18"],
    promises: PROMISES,
    run: copiesKilled,
  },
  {
    name: "leaders-killed",
    what: "kill -9 at once of the broker that leads most partitions, Postgres, the relay that publishes, and a copy of every other service",
    faults: ["F1", "F2", "F3", "F4", "F6", "F10", "F18"],
    promises: PROMISES,
    run: leadersKilled,
  },
  {
    name: "rolling-restart",
    what: "every copy of every service restarted in turn behind load balancers",
    faults: ["F27"],
    promises: [...PROMISES, "P10"],
    run: rollingRestart,
  },
];

/** Takes the revision that is upgraded, so that it is run by `--from` alone. */
export const UPGRADE: Described = {
  name: "upgrade",
  what: "an earlier version stopped under load, and this one started on its data",
  faults: ["F27", "F29"],
  promises: [...PROMISES, "P10"],
};
