import { z } from "zod";
import { Chance } from "./chance.ts";
import { openCast } from "./open-demo.ts";
import { playOrder } from "./play-order.ts";
import { openReceivers } from "./receivers.ts";
import { STORIES } from "./stories.ts";
import { summaryLines } from "./demo-end.ts";

export interface DemoOptions {
  readonly orders: number;
  readonly concurrency: number;
  /** The same seed plays the same stories. */
  readonly seed: number;
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
}

const REPORT_EVERY = 10;

/** Plays the orders, so many at once; returns how many stories broke off. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const { orders, concurrency, seed, env, print } = options;
  const cast = await openCast(env);
  print(`${cast.accounts.length} accounts, ${cast.reviewers.length} operators who decide`);
  const receivers = await openReceivers(cast.accounts);
  if (receivers.refusal !== null) print(withoutWebhooks(receivers.refusal));
  const run = `DEMO-${Date.now().toString(36).toUpperCase()}`;
  const begunAt = performance.now();
  const played = new Map<string, number>();
  let next = 0;
  let done = 0;
  let broken = 0;
  const playOn = async (): Promise<void> => {
    while (next < orders) {
      const n = (next += 1);
      const chance = new Chance(seed + n);
      const story = chance.pickWeighted(STORIES);
      const reference = `${run}-${String(n).padStart(4, "0")}`;
      try {
        await playOrder(cast, { account: chance.pick(cast.accounts), story, chance, reference });
        played.set(story.name, (played.get(story.name) ?? 0) + 1);
      } catch (error) {
        broken += 1;
        print(`${reference}, ${story.name}: ${reasonOf(error)}`);
      }
      done += 1;
      if (done % REPORT_EVERY === 0 || done === orders) print(`${done} of ${orders} orders`);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, playOn));
  } finally {
    receivers.stop();
  }
  const tookMs = performance.now() - begunAt;
  const hasWebhooks = receivers.refusal === null;
  const { deskUrl } = cast;
  for (const line of summaryLines({ orders, broken, tookMs, played, hasWebhooks, deskUrl, run })) {
    print(line);
  }
  return broken;
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return "an answer is not what this demo expects.";
  return error instanceof Error ? error.message : String(error);
}

function withoutWebhooks(refusal: string): string {
  return `The orders are played without webhooks, whose receiver would be on this machine. ${refusal}
With them: WEBHOOK_ALLOW_HTTP=true WEBHOOK_ALLOW_CIDRS=127.0.0.0/8 npm start`;
}
