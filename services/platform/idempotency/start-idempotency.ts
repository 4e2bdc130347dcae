import type { Once } from "./idempotency-key.ts";
import type { Logger } from "../logger.ts";
import { startPeriodic } from "../periodic.ts";
import { createOnce, REPLAY_MS, type OnceOptions } from "./once.ts";
import { forgetReplies } from "./reply-store.ts";

const FORGET_EVERY_MS = 600_000;
const FORGET_BATCH = 5_000;

export interface IdempotencyOptions<P> extends OnceOptions {
  readonly log: Logger;
  /** The owner of a caller's idempotency keys. */
  readonly ownerOf: (principal: P) => string;
}

export interface Idempotency<P> {
  readonly once: Once;
  readonly ownerOf: (principal: P) => string;
  stop(): Promise<void>;
}

/** Runs requests with an Idempotency-Key once, and periodically deletes expired responses. */
export function startIdempotency<P>(options: IdempotencyOptions<P>): Idempotency<P> {
  const { pool, clock, log, ownerOf } = options;
  const forgetting = startPeriodic({
    name: "expired answers",
    everyMs: FORGET_EVERY_MS,
    run: async () => {
      const before = new Date(clock.now().getTime() - REPLAY_MS);
      while ((await forgetReplies(pool, before, FORGET_BATCH)) === FORGET_BATCH);
    },
    log,
  });
  return { once: createOnce(options), ownerOf, stop: () => forgetting.stop() };
}
