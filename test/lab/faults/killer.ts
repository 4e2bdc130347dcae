import { SERVICE_NAMES } from "../../../infra/start/supervisor/service-table.ts";
import type { LocalStack } from "../../../infra/local-stack/local-stack.ts";
import type { Supervisor } from "../../../infra/start/supervisor/supervisor.ts";

const PART_NAMES = ["postgres", "kafka", "registry"] as const;

/** A process that can be killed. */
export interface KillTarget {
  readonly name: string;
  /** Kills it with SIGKILL; resolves at the moment from which the product has to recover. */
  kill(): Promise<void>;
}

const PART_READY_MS = 60_000;

/** The services: each has to be restarted and to work again from its death on. */
export function serviceTargets(supervisor: Supervisor): KillTarget[] {
  return SERVICE_NAMES.map((name) => ({
    name,
    kill: () => {
      supervisor.service(name).program.kill("SIGKILL");
      return Promise.resolve();
    },
  }));
}

/** Postgres, Kafka and the registry: the product recovers once they accept clients again. */
export function partTargets(stack: LocalStack): KillTarget[] {
  return PART_NAMES.map((name) => ({
    name,
    kill: async () => {
      const part = stack.part(name);
      part.kill("SIGKILL");
      await part.whenReady(PART_READY_MS);
    },
  }));
}

export interface KillPlan {
  readonly targets: readonly KillTarget[];
  readonly kills: number;
  /** Shortest and longest pause before each kill. */
  readonly pauseMs: readonly [least: number, most: number];
  readonly random: () => number;
  readonly isOver: () => boolean;
  /** Resolves when the product works again; called after each kill. */
  readonly recover: () => Promise<void>;
  readonly onKill: (name: string) => void;
}

/** The share of kills that come together with the next one. */
const PAIR_SHARE = 0.2;

/** Kills every target in turn, starting with a random one, each at a random moment, and some two at a time. */
export async function killAtRandom(plan: KillPlan): Promise<void> {
  const { targets, random } = plan;
  const [least, most] = plan.pauseMs;
  const first = Math.floor(random() * targets.length);
  const at = (n: number) => (n < plan.kills ? targets[(first + n) % targets.length] : undefined);
  for (let n = 0; n < plan.kills && !plan.isOver(); n += 1) {
    await new Promise((resolve) => setTimeout(resolve, least + random() * (most - least)));
    const killed = [at(n), random() < PAIR_SHARE ? at((n += 1)) : undefined];
    await Promise.all(
      killed.map(async (target) => {
        await target?.kill();
        if (target !== undefined) plan.onKill(target.name);
      }),
    );
    await plan.recover();
  }
}
