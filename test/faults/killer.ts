import { SERVICE_NAMES } from "../../infra/start/supervisor/service-table.ts";
import type { Supervisor } from "../../infra/start/supervisor/supervisor.ts";

export interface KillPlan {
  readonly supervisor: Supervisor;
  readonly kills: number;
  /** Shortest and longest pause before each kill. */
  readonly pauseMs: readonly [least: number, most: number];
  readonly random: () => number;
  /** Kills the broker, in the middle of the plan; absent where the broker is shared. */
  readonly killBroker?: () => Promise<void>;
  readonly isOver: () => boolean;
  readonly onKill: (name: string) => void;
}

/** Kills every service with SIGKILL in turn, starting with a random one, each at a random moment. */
export async function killAtRandom(plan: KillPlan): Promise<void> {
  const { supervisor, random } = plan;
  const [least, most] = plan.pauseMs;
  const first = Math.floor(random() * SERVICE_NAMES.length);
  for (let n = 0; n < plan.kills && !plan.isOver(); n += 1) {
    const ms = least + random() * (most - least);
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (plan.killBroker !== undefined && n === Math.floor(plan.kills / 2)) {
      await plan.killBroker();
      plan.onKill("kafka");
      continue;
    }
    const name = SERVICE_NAMES[(first + n) % SERVICE_NAMES.length] ?? "api";
    supervisor.service(name).program.kill("SIGKILL");
    plan.onKill(name);
  }
}
