import { setTimeout as pause } from "node:timers/promises";
import { startProbe } from "../probe.ts";
import { processTree, signalAll } from "../process-tree.ts";
import { atMost, type Scenario } from "../scenario.ts";

const FROZEN_MS = 25_000;
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
    await pause(FROZEN_MS);
    signalAll(processes, "SIGCONT");
    const { longestMs } = await probe.stop();
    return [atMost("longest wait for an answer", longestMs / 1_000, [LONGEST_ANSWER_S, "s"])];
  },
};
