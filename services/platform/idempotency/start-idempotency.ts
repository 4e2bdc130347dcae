import { randomBytes } from "node:crypto";
import { queryRows, type Queryable } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { startPeriodic } from "../periodic.ts";
import type { Sealed, SecretBox } from "../secret-box.ts";
import { createFingerprints } from "./fingerprints.ts";
import type { Once } from "./idempotency-key.ts";
import { createOnce, replayedSince, type OnceOptions } from "./once.ts";
import { forgetReplies } from "./reply-store.ts";

const KEY_BYTES = 32;
const PURPOSE = "idempotency";
const AAD = `generated_key/${PURPOSE}`;

/**
 * The key of the stored fingerprints, the same for all processes. The first to ask for it generates it.
 * @throws `invalid_config` if `box` cannot open it
 */
export async function openFingerprintKey(db: Queryable, box: SecretBox): Promise<Buffer> {
  let sealed = await findKey(db);
  while (sealed === null) {
    await addKey(db, box.seal(randomBytes(KEY_BYTES), AAD));
    // Another process may have been first: its key counts.
    sealed = await findKey(db);
  }
  try {
    return box.openBytes(sealed, AAD);
  } catch (cause) {
    throw new AppError(
      "invalid_config",
      `The key of idempotent requests is sealed under ${sealed.keyId}, and SECRETS_KEY does not open it: ` +
        "see docs/operations.md, Keys of stored secrets.",
      { cause },
    );
  }
}

async function findKey(db: Queryable): Promise<Sealed | null> {
  const [row] = await queryRows<{ bytes: Buffer; key_id: string }>(db, {
    text: `select sealed_key as bytes, sealed_key_id as key_id from messaging.generated_keys
      where purpose = $1`,
    values: [PURPOSE],
  });
  return row === undefined ? null : { bytes: row.bytes, keyId: row.key_id };
}

async function addKey(db: Queryable, { bytes, keyId }: Sealed): Promise<void> {
  await queryRows(db, {
    text: `insert into messaging.generated_keys (purpose, sealed_key, sealed_key_id)
      values ($1, $2, $3) on conflict (purpose) do nothing`,
    values: [PURPOSE, bytes, keyId],
  });
}

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
