import { AppError } from "../errors.ts";
import { queryRows, type Queryable } from "../db/transaction.ts";

/** An idempotency key and its owner. */
export interface ReplyAddress {
  readonly owner: string;
  readonly key: string;
}

export interface StoredReply {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON text of the body, sealed if `is_sealed`; null if there was none. */
  readonly body: Buffer | null;
  readonly is_sealed: boolean;
}

/** Locks the key until the transaction ends; returns false at once if another request holds it. */
export async function tryLockKey(tx: Queryable, { owner, key }: ReplyAddress): Promise<boolean> {
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
export async function requireRoomFor(
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

export interface NewReply extends StoredReply {
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
