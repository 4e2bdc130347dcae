import {
  findLogPosition,
  readLog,
  readSettledTime,
  type LoggedEvent,
  type LogPosition,
} from "../../store/log-export.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { isDate } from "../../../platform/calendar/instant-text.ts";
import { AppError } from "../../../platform/errors.ts";
import { uuidIn } from "../../../platform/ids.ts";

const PAGE_SIZE = 1_000;

/** Where an export goes; it may hold earlier events, after the last of which the export goes on. */
export interface ExportTarget {
  /** The id of the last event that it holds; null if it holds none. */
  readonly lastId: string | null;
  write(events: readonly LoggedEvent[]): Promise<void>;
  /** Makes what was written last. */
  close(): Promise<void>;
}

export interface Exported {
  readonly events: number;
  /** The last event in the target. */
  readonly lastId: string | null;
}

/**
 * Writes the settled events of all accounts to the target, page by page. `since`, a time or the id of an event, counts
 * for an empty target alone.
 */
export async function exportLog(
  db: Queryable,
  target: ExportTarget,
  since: string | undefined,
): Promise<Exported> {
  let after = await positionOf(db, target.lastId ?? since);
  let { lastId } = target;
  let events = 0;
  const before = await readSettledTime(db);
  for (;;) {
    const page = await readLog(db, { after, before, limit: PAGE_SIZE });
    const last = page.at(-1);
    if (last === undefined) break;
    await target.write(page);
    events += page.length;
    after = last;
    lastId = last.id;
  }
  await target.close();
  return { events, lastId };
}

const NIL = "00000000-0000-0000-0000-000000000000";
const BEGINNING = "1970-01-01T00:00:00Z";
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The place before the first event that was stored at a time, or that of an event. */
async function positionOf(db: Queryable, since: string | undefined): Promise<LogPosition> {
  const text = since ?? BEGINNING;
  const id = uuidIn(text);
  if (id !== null) {
    const position = await findLogPosition(db, id);
    if (position === null) throw new AppError("not_found", `The log has no event ${id}.`);
    return position;
  }
  if (!TIME.test(text) || !isDate(text.slice(0, 10)) || Number.isNaN(Date.parse(text))) {
    const form = "2026-11-01, 2026-11-01T09:00:00Z or the id of an event";
    throw new AppError(
      "invalid_config",
      `--since is neither a time nor an event id: give ${form}.`,
    );
  }
  return {
    stored_at: text.length === "2026-11-01".length ? `${text}T00:00:00Z` : text,
    account_id: NIL,
    seq: 0,
  };
}
