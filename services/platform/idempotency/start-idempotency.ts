import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { Clock } from "../clock.ts";
import { inOpenTransaction, queryRows, type Queryable } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import type { Reply } from "../http/routing/reply.ts";
import type { Logger } from "../logger.ts";
import { startPeriodic } from "../periodic.ts";
import { createSecretBox, type Sealed, type SecretBox } from "../secret-box.ts";
import type { Once, OnceRequest } from "./idempotency-key.ts";

const KEY_BYTES = 32;
const KEY_ID_LENGTH = 8;

/** A box that only the holder of the API key can open: the stored hash of the key is not enough. */
function boxOf(credential: string): SecretBox {
  const key = hkdfSync("sha256", credential, "", "idempotent answer", KEY_BYTES);
  return createSecretBox([Buffer.from(key)]);
}

function aadOf({ owner, key }: ReplyAddress): string {
  return `${owner} ${key}`;
}

/** Seals a response that contains a secret under the API key of its request. */
function sealBody(text: string, credential: string, address: ReplyAddress): Buffer {
  const { bytes, keyId } = boxOf(credential).seal(text, aadOf(address));
  return Buffer.concat([Buffer.from(keyId, "latin1"), bytes]);
}

/** Null if the request uses another key of the account. */
function openBody(sealed: Buffer, credential: string, address: ReplyAddress): string | null {
  const keyId = sealed.subarray(0, KEY_ID_LENGTH).toString("latin1");
  const bytes = sealed.subarray(KEY_ID_LENGTH);
  try {
    return boxOf(credential).open({ bytes, keyId }, aadOf(address));
  } catch {
    // Another API key's box does not know the key id.
    return null;
  }
}

/** How long a response can be replayed. */
export const REPLAY_MS = 86_400_000;
const REPLAYED = { "Idempotency-Replayed": "true" };

/** A response that was stored then or before is not replayed any more: its key may be used for another request. */
export function replayedSince(now: Date): Date {
  return new Date(now.getTime() - REPLAY_MS);
}

interface OnceOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly fingerprints: Fingerprints;
  /** Called after each commit. */
  readonly onCommit?: () => void;
}

/**
 * Runs a request once per key, in a transaction that is handed to it. The response is stored in the same one, so
 * that effect and response are stored together or not at all; a refused or failed request leaves nothing
 * and may be retried.
 */
export function createOnce({ pool, clock, fingerprints, onCommit }: OnceOptions): Once {
  return (request) => async (prepare, run) => {
    if (prepare !== null && (await findReply(pool, request, replayedSince(clock.now()))) === null) {
      await prepare();
    }
    const reply = await inOpenTransaction(pool, async (tx) => {
      if (!(await tryLockKey(tx, request))) {
        throw new AppError(
          "idempotency_in_progress",
          "A request with this key is still in progress.",
        );
      }
      const now = clock.now();
      const stored = await findReply(tx, request, replayedSince(now));
      if (stored !== null) return replayOf(request, stored, fingerprints);
      const fresh = await run(tx);
      const toStore = storedReply(request, fresh);
      await requireRoomFor(tx, request.owner, toStore, replayedSince(now));
      const fingerprint = fingerprints.of(request.digest);
      await storeReply(tx, request, { ...toStore, fingerprint, created_at: now });
      return fresh;
    });
    onCommit?.();
    return reply;
  };
}

/**
 * The stored response to the same request once more.
 * @throws `idempotency_key_reused` for another request, and for a response with a secret that another API key got
 */
export function replayOf(
  request: OnceRequest,
  stored: StoredReply,
  fingerprints: Fingerprints,
): Reply {
  if (!fingerprints.isOf(stored.fingerprint, request.digest)) {
    throw new AppError("idempotency_key_reused", "The key was used for another request.");
  }
  const { status, headers, body, is_sealed: isSealed } = stored;
  const text =
    body === null ? null : isSealed ? openBody(body, request.credential, request) : body.toString();
  if (body !== null && text === null) {
    throw new AppError("idempotency_key_reused", "The key was used with another API key.");
  }
  const replayed = { status, headers: { ...headers, ...REPLAYED } };
  return text === null ? replayed : { ...replayed, body: JSON.parse(text) as unknown };
}

/** What is stored of a response; one with a secret only its API key opens. */
export function storedReply(request: OnceRequest, reply: Reply): Omit<StoredReply, "fingerprint"> {
  const text = reply.body === undefined ? null : JSON.stringify(reply.body);
  return {
    status: reply.status,
    headers: reply.headers ?? {},
    body: text === null ? null : bytesOf(request, text),
    is_sealed: request.isSecret,
  };
}

function bytesOf(request: OnceRequest, text: string): Buffer {
  return request.isSecret ? sealBody(text, request.credential, request) : Buffer.from(text);
}

/** What is stored of a request, to recognize it when it is repeated. */
interface Fingerprints {
  of(digest: Buffer): Buffer;
  /** Whether a stored fingerprint is of the request with this digest. */
  isOf(stored: Buffer, digest: Buffer): boolean;
}

/** Fingerprints that nobody without the key can compute for a request that they guess. */
export function createFingerprints(key: Buffer): Fingerprints {
  const of = (digest: Buffer): Buffer => createHmac("sha256", key).update(digest).digest();
  return { of, isOf: (stored, digest) => stored.equals(of(digest)) };
}

const OWNER_KEY_BYTES = 32;
const PURPOSE = "idempotency";
const AAD = `generated_key/${PURPOSE}`;

/**
 * The key of the stored fingerprints, the same for all processes. The first to ask for it generates it.
 * @throws `invalid_config` if `box` cannot open it
 */
export async function openFingerprintKey(db: Queryable, box: SecretBox): Promise<Buffer> {
  let sealed = await findKey(db);
  while (sealed === null) {
    await addKey(db, box.seal(randomBytes(OWNER_KEY_BYTES), AAD));
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

interface IdempotencyOptions<P> extends Omit<OnceOptions, "fingerprints"> {
  readonly log: Logger;
  /** Opens the key of the fingerprints. */
  readonly box: SecretBox;
  /** The owner of a caller's idempotency keys. */
  readonly ownerOf: (principal: P) => string;
}

interface Idempotency<P> {
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

/** An idempotency key and its owner. */
interface ReplyAddress {
  readonly owner: string;
  readonly key: string;
}

interface StoredReply {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON text of the body, sealed if `is_sealed`; null if there was none. */
  readonly body: Buffer | null;
  readonly is_sealed: boolean;
}

/** Locks the key until the transaction ends; returns false at once if another request holds it. */
async function tryLockKey(tx: Queryable, { owner, key }: ReplyAddress): Promise<boolean> {
  const [row] = await queryRows<{ locked: boolean }>(tx, {
    name: "idempotency-lock",
    text: `select pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0)) as locked`,
    values: [owner, key],
  });
  return row?.locked === true;
}

/** The stored response for the key since `since`; null if there is none. */
export async function findReply(
  tx: Queryable,
  { owner, key }: ReplyAddress,
  since: Date,
): Promise<StoredReply | null> {
  const [row] = await queryRows<StoredReply>(tx, {
    name: "idempotency-find",
    text: `select fingerprint, status, headers, body, is_sealed from messaging.idempotent_replies
      where owner = $1 and key = $2 and created_at > $3`,
    values: [owner, key, since],
  });
  return row ?? null;
}

/** Of a body that counts among the large ones; an index has the same condition. */
const LARGE_BYTES = 16_384;
/** How many an owner may have kept at once. */
const MAX_LARGE = 10_000;

/** @throws `quota_exceeded` if the owner has as many large responses kept as it may have */
async function requireRoomFor(
  tx: Queryable,
  owner: string,
  { body }: Pick<StoredReply, "body">,
  since: Date,
): Promise<void> {
  if (body === null || body.length <= LARGE_BYTES) return;
  const [row] = await queryRows<{ count: number }>(tx, {
    name: "idempotency-large",
    text: `select count(*) as count from (select from messaging.idempotent_replies
      where owner = $1 and octet_length(body) > ${LARGE_BYTES} and created_at > $2 limit ${MAX_LARGE}) one`,
    values: [owner, since],
  });
  if ((row?.count ?? 0) < MAX_LARGE) return;
  const detail = `Of answers above 16 KiB at most ${MAX_LARGE.toLocaleString("en")} are kept for Idempotency-Keys of 24 hours: send this request without a key, or later.`;
  throw new AppError("quota_exceeded", detail);
}

interface NewReply extends StoredReply {
  readonly created_at: Date;
}

/** Stores a response, replacing an expired one. */
export async function storeReply(
  tx: Queryable,
  { owner, key }: ReplyAddress,
  reply: NewReply,
): Promise<void> {
  await queryRows(tx, {
    name: "idempotency-keep",
    text: `insert into messaging.idempotent_replies
        (owner, key, fingerprint, status, headers, body, is_sealed, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (owner, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
        headers = excluded.headers, body = excluded.body, is_sealed = excluded.is_sealed,
        created_at = excluded.created_at`,
    values: [
      owner,
      key,
      reply.fingerprint,
      reply.status,
      JSON.stringify(reply.headers),
      reply.body,
      reply.is_sealed,
      reply.created_at,
    ],
  });
}

/**
 * Deletes up to `limit` responses older than `before`; returns how many. The age is checked twice,
 * because a response may be replaced while the delete waits for its lock.
 */
export async function forgetReplies(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await queryRows(db, {
    text: `delete from messaging.idempotent_replies where (owner, key) in (
        select owner, key from messaging.idempotent_replies where created_at <= $1 limit $2)
        and created_at <= $1 returning key`,
    values: [before, limit],
  });
  return rows.length;
}
