import type { Described } from "../scenario-report.ts";
import type { ClusterScenario } from "./cluster-scenario.ts";
import { run as copiesKilled } from "./copies-killed.ts";
import { run as leadersKilled } from "./leaders-killed.ts";
import { run as oneBrokerKilled } from "./one-broker-killed.ts";
import { run as rollingRestart } from "./rolling-restart.ts";
import { run as twoBrokersKilled } from "./two-brokers-killed.ts";

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
