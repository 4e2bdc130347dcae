import { setTimeout as pause } from "node:timers/promises";
import { query } from "../history.ts";
import { partTargets, serviceTargets, type KillTarget } from "../killer.ts";
import { reported, type Scenario, type ScenarioContext } from "../scenario.ts";
import type { LinkFault } from "../../../support/net/fault-proxy.ts";

const LONGEST_FAULT_MS = 10_000;
const LONGEST_PAUSE_MS = 5_000;
const LINKS = ["postgres", "kafka", "registry", "receiver"] as const;
const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

function pick<T>(all: readonly T[], random: () => number): T {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new TypeError("nothing to pick from");
  return one;
}

/** Injects one fault; resolves when it has ended. */
type Fault = (context: ScenarioContext) => Promise<void>;

const killOne: Fault = async ({ product, place, random, killed }) => {
  const all: KillTarget[] = [...serviceTargets(product.supervisor), ...partTargets(place.stack)];
  const target = pick(all, random);
  await target.kill();
  killed(target.name);
};

const freezeOne: Fault = async ({ product, place, random }) => {
  const names = ["api", "event-log", "webhook-sender", "order-lifecycle", "outbox-relay"] as const;
  const services = names.map((name) => product.supervisor.service(name).program);
  const program = pick([...services, place.stack.part("kafka")], random);
  program.pause();
  await pause(random() * LONGEST_FAULT_MS);
  program.resume();
};

const spoilLink: Fault = async ({ place, random }) => {
  const link = place.links[pick(LINKS, random)];
  const kinds: readonly LinkFault[] = [
    { silent: true, directions: [pick(["up", "down"] as const, random)] },
    { latencyMs: 200, jitterMs: 100 },
    { bytesPerSecond: 50_000 },
  ];
  link.suffer(pick(kinds, random));
  await pause(random() * LONGEST_FAULT_MS);
  link.heal();
};

const cutLink: Fault = ({ place, random }) => {
  place.links[pick(LINKS, random)].cut();
  return Promise.resolve();
};

const terminate: Fault = async ({ direct }) => {
  await query(direct.databaseUrl, TERMINATE);
};

const FAULTS: Readonly<Record<string, Fault>> = {
  "a process is killed": killOne,
  "a process is frozen": freezeOne,
  "a link is slow or silent": spoilLink,
  "a link is cut": cutLink,
  "the database's connections are ended": terminate,
};

export const randomFaults: Scenario = {
  name: "random",
  what: "faults of all kinds, chosen at random, one after the other, for as long as the command says",
  faults: ["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F9", "F10", "F11", "F13"],
  promises: ["P1", "P2", "P3", "P9"],
  seconds: 600,
  isQuick: false,
  isReplayed: true,
  run: async (context) => {
    const { settings, random, progress, recover, log } = context;
    const until = performance.now() + settings.minutes * 60_000;
    let faults = 0;
    while (performance.now() < until && !progress.failed) {
      const [name, inject] = pick(Object.entries(FAULTS), random);
      log(name);
      await inject(context);
      faults += 1;
      await recover();
      await pause(random() * LONGEST_PAUSE_MS);
    }
    return [reported("faults", faults)];
  },
};
