import { setTimeout as pause } from "node:timers/promises";
import type { Scenario } from "../scenario.ts";

const LOAD_MS = 15_000;

export const replay: Scenario = {
  name: "replay",
  what: "every group's offsets are deleted, and every topic is read again from its start",
  faults: ["F17", "F20"],
  promises: ["P2", "P3"],
  seconds: 50,
  isQuick: false,
  isReplayed: true,
  run: async () => {
    await pause(LOAD_MS);
    return [];
  },
};
