import type { Logger } from "../logger.ts";
import { startPeriodic } from "../periodic.ts";
import type { SecretBox } from "../secret-box.ts";
import { openFingerprintKey } from "./fingerprint-key.ts";
import { createFingerprints } from "./fingerprints.ts";
import type { Once } from "./idempotency-key.ts";
import { createOnce, replayedSince, type OnceOptions } from "./once.ts";
import { forgetReplies } from "./reply-store.ts";

const FORGET_EVERY_MS = 600_000;
const FORGET_BATCH = 5_000;

export interface IdempotencyOptions<P> extends Omit<OnceOptions, "fingerprints"> {
  readonly log: Logger;
  /** Opens the key of the fingerprints. */
  readonly box: SecretBox;
  /** The owner of a caller's idempotency keys. */
  readonly ownerOf: (principal: P) => string;
}

export interface Idempotency<P> {
  readonly once: Once;
  readonly ownerOf: (principal: P) => string;
  stop(): Promise<void>;
}

/**
 * Runs requests with an Idempotency-Key once, and periodically deletes expired responses.
 * @throws `invalid_config` if the key of the fingerprints is sealed with another secret key
 */
export async function startIdempotency<P>(options: IdempotencyOptions<P>): Promise<Idempotency<P>> {
  const { pool, clock, log, box, ownerOf } = options;
  const fingerprints = createFingerprints(await openFingerprintKey(pool, box));
  const forgetting = startPeriodic({
    name: "expired answers",
    everyMs: FORGET_EVERY_MS,
    run: async () => {
      const before = replayedSince(clock.now());
      while ((await forgetReplies(pool, before, FORGET_BATCH)) === FORGET_BATCH);
    },
    log,
  });
  const once = createOnce({ ...options, fingerprints });
  return { once, ownerOf, stop: () => forgetting.stop() };
}
