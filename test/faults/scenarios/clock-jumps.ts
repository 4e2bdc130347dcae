import { setTimeout as pause } from "node:timers/promises";
import type { Scenario } from "../scenario.ts";

const STEP_MS = 10_000;
const STEPS = 6;

/** An option of Node by which a process's wall clock jumps by an hour every 10 s: forward, back, back, forward. */
function jumpingClock(): NodeJS.ProcessEnv {
  const code = `const Right = Date;
    const OFFSETS_MS = [0, 3_600_000, 0, -3_600_000];
    const now = () => Right.now() + OFFSETS_MS[Math.floor(performance.now() / ${STEP_MS}) % 4];
    globalThis.Date = class Date extends Right {
      constructor(...given) { if (given.length === 0) super(now()); else super(...given); }
      static now() { return now(); }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

export const clockJumps: Scenario = {
  name: "clock-jumps",
  what: "the wall clock of every service jumps by an hour every 10 s, forward and back",
  faults: ["F21"],
  promises: ["P1", "P2", "P3", "P4"],
  seconds: 90,
  isQuick: false,
  env: jumpingClock(),
  run: async () => {
    await pause(STEPS * STEP_MS);
    return [];
  },
};
