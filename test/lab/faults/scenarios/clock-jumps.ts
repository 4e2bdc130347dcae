import { setTimeout as pause } from "node:timers/promises";
import { wrongClock } from "../../../support/programs/wrong-clock.ts";
import type { Scenario } from "../scenario.ts";

const STEP_MS = 10_000;
const STEPS = 6;

/** The offsets by which it jumps, one after the other: forward, back, back, forward. */
const OFFSETS_MS = [0, 3_600_000, 0, -3_600_000];
const STEP = `Math.floor(performance.now() / ${STEP_MS}) % ${OFFSETS_MS.length}`;

export const clockJumps: Scenario = {
  name: "clock-jumps",
  what: "the wall clock of every service jumps by an hour every 10 s, forward and back",
  faults: ["F21"],
  promises: ["P1", "P2", "P3", "P4"],
  seconds: 90,
  isQuick: false,
  env: wrongClock(`Right.now() + [${OFFSETS_MS.join(", ")}][${STEP}]`),
  run: async () => {
    await pause(STEPS * STEP_MS);
    return [];
  },
};
