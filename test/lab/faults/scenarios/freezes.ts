import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { SERVICE_NAMES } from "../../../../infra/start/supervisor/service-table.ts";
import { startProbe } from "../ask.ts";
import { atMost, type Scenario } from "../scenario.ts";

const BROKER_FROZEN_MS = 15_000;

export const freezeBroker: Scenario = {
  name: "freeze-broker",
  what: "SIGSTOP of the broker for 15 s",
  faults: ["F7"],
  promises: ["P1", "P2", "P9"],
  seconds: 50,
  isQuick: true,
  run: async ({ place }) => {
    const kafka = place.stack.part("kafka");
    kafka.pause();
    await pause(BROKER_FROZEN_MS);
    kafka.resume();
    return [];
  },
};

/** A process and all its descendants, whatever their process groups: Postgres's backends have groups of their own. */
function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(name);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
}

/** Null for a process that has ended meanwhile. */
function parentOf(pid: string): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
  } catch {
    return null;
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

const POSTGRES_FROZEN_MS = 25_000;
const LONGEST_ANSWER_S = 20;

export const freezePostgres: Scenario = {
  name: "freeze-postgres",
  what: "SIGSTOP of Postgres and all its backends for 25 s",
  faults: ["F9", "F10"],
  promises: ["P1", "P9"],
  seconds: 60,
  isQuick: false,
  run: async ({ place, product }) => {
    const url = `${product.apiUrl}/v2/porting_orders?limit=1`;
    const probe = startProbe(url, { key: product.apiKey, everyMs: 100 });
    const { pid } = place.stack.part("postgres");
    const processes = pid === null ? [] : processTree(pid);
    signalAll(processes, "SIGSTOP");
    await pause(POSTGRES_FROZEN_MS);
    signalAll(processes, "SIGCONT");
    const { longestMs } = await probe.stop();
    return [atMost("longest wait for an answer", longestMs / 1_000, [LONGEST_ANSWER_S, "s"])];
  },
};

/** Longer than a session of a consumer group and a lease of a delivery's claim on its endpoint. */
const SERVICE_FROZEN_MS = 12_000;

export const freezeServices: Scenario = {
  name: "freeze-services",
  what: "SIGSTOP of each service in turn for 12 s, longer than its consumer's session",
  faults: ["F5", "F18"],
  promises: ["P1", "P2", "P3", "P9"],
  seconds: 180,
  isQuick: false,
  run: async ({ product, recover, log }) => {
    for (const name of SERVICE_NAMES) {
      log(`freezing ${name}`);
      const { program } = product.supervisor.service(name);
      program.pause();
      await pause(SERVICE_FROZEN_MS);
      program.resume();
      await recover();
    }
    return [];
  },
};
