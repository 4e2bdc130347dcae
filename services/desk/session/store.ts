import { DESK_SESSION, hashKey, issueKey } from "../../domain/account/rules/api-key.ts";
import type { TokenHolder } from "../../domain/account/store/operators.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { newId } from "../../platform/ids.ts";

const MINUTE_MS = 60_000;

/** How long a session lasts at most, however much it is used. */
const SESSION_MS = 12 * 60 * MINUTE_MS;
/** A session that is not used for this long has ended. */
const IDLE_MS = 60 * MINUTE_MS;
/** Its use is noted at most this often, so that a session may end up to this much early, and never late. */
const NOTE_MS = MINUTE_MS;

/** Sessions last used at this time or before have ended. */
function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

function isUseDue(usedAt: Date, now: Date): boolean {
  return now.getTime() - usedAt.getTime() >= NOTE_MS;
}

interface NewSession {
  readonly id: string;
  /** The session itself, which only its cookie holds. */
  readonly session: string;
  readonly expiresAt: Date;
}

const OPEN = `insert into accounts.operator_sessions
    (id, token_hash, operator_token_id, created_at, expires_at, used_at)
  values ($1, $2, $3, $4, $5, $4)`;

/** Opens a session of a token's operator; only its hash is stored. */
export async function openSession(tx: Queryable, tokenId: string, now: Date): Promise<NewSession> {
  const { key: session, hash } = issueKey(DESK_SESSION);
  const id = newId(now);
  const expiresAt = new Date(now.getTime() + SESSION_MS);
  await queryRows(tx, { text: OPEN, values: [id, hash, tokenId, now, expiresAt] });
  return { id, session, expiresAt };
}

/** An operator who is signed in. */
interface SessionHolder extends TokenHolder {
  readonly session_id: string;
  readonly used_at: Date;
}

const FIND_HOLDER = `select o.id, o.name, o.role, o.active, o.created_at, t.id as token_id,
    s.id as session_id, s.used_at
  from accounts.operator_sessions s
  join accounts.operator_tokens t on t.id = s.operator_token_id
  join accounts.operators o on o.id = t.operator_id
  where s.token_hash = $1 and s.expires_at > $2 and s.used_at > $3
    and t.revoked_at is null and o.active`;

/** Who is signed in by a session that has not ended; ended too where its token is revoked. */
export async function findSessionHolder(
  db: Queryable,
  session: string,
  now: Date,
): Promise<SessionHolder | null> {
  const [holder] = await queryRows<SessionHolder>(db, {
    name: "operator-session-holder",
    text: FIND_HOLDER,
    values: [hashKey(session), now, idleSince(now)],
  });
  return holder ?? null;
}

const NOTE_USE =
  "update accounts.operator_sessions set used_at = $2 where id = $1 and used_at < $2";

/** Puts off the end of a session that is in use; writes at most once a minute. */
export async function noteSessionUse(
  db: Queryable,
  { session_id, used_at }: SessionHolder,
  now: Date,
): Promise<void> {
  if (!isUseDue(used_at, now)) return;
  await queryRows(db, { name: "operator-session-used", text: NOTE_USE, values: [session_id, now] });
}

/** Ends one session. */
export async function endSession(tx: Queryable, id: string): Promise<void> {
  const text = "delete from accounts.operator_sessions where id = $1";
  await queryRows(tx, { text, values: [id] });
}

const END_ALL = `delete from accounts.operator_sessions s using accounts.operator_tokens t
  where t.id = s.operator_token_id and t.operator_id = $1`;

export async function endSessionsOf(tx: Queryable, operatorId: string): Promise<void> {
  await queryRows(tx, { text: END_ALL, values: [operatorId] });
}

const FORGET = `delete from accounts.operator_sessions where id in (
    select id from accounts.operator_sessions where expires_at <= $1 or used_at <= $2 limit $3)
  returning id`;

/** Deletes up to `limit` sessions that have ended; returns how many. */
export async function forgetSessions(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await queryRows(db, { text: FORGET, values: [now, idleSince(now), limit] });
  return rows.length;
}
