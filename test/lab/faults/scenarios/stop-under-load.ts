import { SERVICE_NAMES } from "../../../../infra/start/supervisor/service-table.ts";
import { atMost, none, type Scenario } from "../scenario.ts";

const LONGEST_STOP_S = 20;
/** Beyond the target, so that a service that does not stop in time is seen as such. */
const GRACE_MS = 40_000;

export const stopUnderLoad: Scenario = {
  name: "stop-under-load",
  what: "SIGTERM of each service in turn, then of all at once, and a start again",
  faults: ["F27"],
  promises: ["P1", "P2", "P3", "P10"],
  seconds: 110,
  isQuick: false,
  run: async ({ product: { supervisor }, recover, log }) => {
    const programs = SERVICE_NAMES.map((name) => supervisor.service(name).program);
    let longestMs = 0;
    let killed = 0;
    for (const group of [...programs.map((one) => [one]), programs]) {
      const startedAt = performance.now();
      await Promise.all(
        group.map(async (program) => {
          await program.stop(GRACE_MS);
          const ms = performance.now() - startedAt;
          log(`${program.name} stopped in ${(ms / 1_000).toFixed(1)} s`);
          if (ms >= GRACE_MS) killed += 1;
          longestMs = Math.max(longestMs, ms);
        }),
      );
      for (const program of group) program.start();
      await recover();
    }
    return [
      atMost("longest stop", longestMs / 1_000, [LONGEST_STOP_S, "s"]),
      none("services that had to be killed", killed),
    ];
  },
};
