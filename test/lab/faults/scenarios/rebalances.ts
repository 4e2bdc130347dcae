import { setTimeout as pause } from "node:timers/promises";
import type { CopyName } from "../../../../infra/start/supervisor/service-table.ts";
import type { Scenario } from "../scenario.ts";

const COPIES = [
  "event-log#2",
  "webhook-sender#2",
  "order-lifecycle#2",
] as const satisfies CopyName[];
const TIMES = 10;
const EVERY_MS = 5_000;
const STOP_GRACE_MS = 20_000;

export const rebalances: Scenario = {
  name: "rebalances",
  what: "every 5 s for 50 s a second copy of event-log, webhook-sender and order-lifecycle joins or leaves its group",
  faults: ["F18"],
  promises: ["P1", "P2", "P3", "P9"],
  seconds: 90,
  isQuick: false,
  run: async ({ product: { supervisor } }) => {
    const copies = COPIES.map((name) => supervisor.start(name).program);
    for (let n = 1; n < TIMES; n += 1) {
      await pause(EVERY_MS);
      if (n % 2 === 0) for (const copy of copies) copy.start();
      else await Promise.all(copies.map((copy) => copy.stop(STOP_GRACE_MS)));
    }
    return [];
  },
};
