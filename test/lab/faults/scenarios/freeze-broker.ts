import { setTimeout as pause } from "node:timers/promises";
import type { Scenario } from "../scenario.ts";

const FROZEN_MS = 15_000;

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
    await pause(FROZEN_MS);
    kafka.resume();
    return [];
  },
};
