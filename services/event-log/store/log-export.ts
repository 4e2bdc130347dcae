import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { timeOfId } from "../../platform/ids.ts";

/** The context as it is kept: what is unknown is absent (`contextJson`). */
export interface StoredContext {
  readonly provider?: string;
  readonly losing_carrier?: string;
  readonly number_type?: string;
  readonly country_code?: string;
  readonly rejection?: { readonly code: string; readonly slug?: string; readonly text?: string };
  readonly occurred_at?: string;
  readonly actor?: string;
}

/** An event of the log with its whole envelope. */
export interface LoggedEvent {
  readonly id: string;
  readonly account_id: string;
  /** Its position in the account's feed. */
  readonly seq: number;
  readonly type: string;
  readonly order_id: string | null;
  readonly sequence_key: string;
  readonly order_sequence: number | null;
  readonly created_at: Date;
  /** ISO 8601 in UTC with microseconds. */
  readonly stored_at: string;
  readonly context: StoredContext | null;
  /** The body of its webhooks. */
  readonly body: Buffer;
}

/** A place in the order in which the log stored its events; nothing is ever stored before a settled place. */
export type LogPosition = Pick<LoggedEvent, "stored_at" | "account_id" | "seq">;

const STORED_AT = `to_char(stored_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as stored_at`;

/** The place of an event of any account; null if the log has no event with the id. */
export async function findLogPosition(db: Queryable, eventId: string): Promise<LogPosition | null> {
  const [position] = await queryRows<LogPosition>(db, {
    name: "log-place",
    text: `select account_id, seq, ${STORED_AT} from events.log where id = $1 and created_at = $2`,
    values: [eventId, timeOfId(eventId)],
  });
  return position ?? null;
}

/**
 * Until when the log is settled: whoever stores an event with an earlier time has committed. A time is that of the
 * transaction's start, so the oldest one that runs counts; a statement that stores takes 10 s at most.
 */
export async function readSettledTime(db: Queryable): Promise<string> {
  const [row] = await queryRows<{ settled: string }>(db, {
    name: "log-settled",
    text: `select to_char(greatest(clock_timestamp() - interval '1 minute',
        least(clock_timestamp() - interval '2 seconds', min(case a.query
          when '<insufficient privilege>' then '-infinity' else a.xact_start end)))
        at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as settled
      from pg_stat_activity a
      where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()`,
  });
  if (row === undefined) throw new TypeError("an aggregate has a row");
  return row.settled;
}

/** A part of the log. */
export interface LogPart {
  readonly after: LogPosition;
  /** ISO 8601; events stored at that time are not included. */
  readonly before: string;
  readonly limit: number;
}

/** Events of all accounts in the order of storing, which is also that of each `sequence_key`. */
export async function readLog(
  db: Queryable,
  { after, before, limit }: LogPart,
): Promise<LoggedEvent[]> {
  return queryRows<LoggedEvent>(db, {
    name: "log-export",
    text: `select id, account_id, seq, type, order_id, sequence_key, order_sequence, created_at,
        to_char(l.stored_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as stored_at, context, body
      from events.log l
      where (l.stored_at, account_id, seq) > ($1::timestamptz, $2::uuid, $3::bigint)
        and l.stored_at >= $1 and l.stored_at < $4
      order by l.stored_at, account_id, seq limit $5`,
    values: [after.stored_at, after.account_id, after.seq, before, limit],
  });
}
