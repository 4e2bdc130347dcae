import type { Clock } from "../../../platform/clock.ts";
import {
  cutPageById,
  rowsOfPage,
  type CutRow,
  type IdRange,
} from "../../../platform/db/id-range.ts";
import {
  insertInto,
  recordset,
  recordsetValue,
  type Columns,
  type RowOf,
} from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { PageRows } from "../../../platform/http/paging.ts";
import { newId, newIds, uuidIn } from "../../../platform/ids.ts";
import type { DeadLetterNote, DescribeDeadLetter } from "../../../platform/kafka/dead-letters.ts";
import type { RawMessage } from "../../../platform/kafka/raw-message.ts";
import type { DecisionContext, Effect } from "../rules/effects.ts";
import { SYSTEM_ACTOR, type Actor, type Order } from "../rules/order.ts";
import type { Audience } from "./comments.ts";

/** Consumers of events may not write timelines themselves. */
const NOTE_DEAD_LETTER = "select orders.note_dead_letter($1, $2, $3, $4)";

/** The order whose id is a message's key. */
export function orderIdOf({ key }: Pick<RawMessage, "key">): string | null {
  return uuidIn(key?.toString("utf8"));
}

/** Notes a dead-lettered message for the desk in the timeline of its order, if there is one. */
export function noteInTimeline(
  clock: Clock,
  { raw, orderId }: { readonly raw: RawMessage; readonly orderId: string | null },
): DeadLetterNote {
  return async (tx, { code, detail }) => {
    if (orderId === null) return;
    const now = clock.now();
    const letter = { topic: raw.topic, code, detail };
    await queryRows(tx, {
      name: "dead-letter-note",
      text: NOTE_DEAD_LETTER,
      values: [newId(now), orderId, now, JSON.stringify(letter)],
    });
  };
}

/** For topics whose keys are the orders that their messages are about. */
export function describeByKey(clock: Clock): DescribeDeadLetter {
  return (raw) => ({ note: noteInTimeline(clock, { raw, orderId: orderIdOf(raw) }) });
}

/** A timeline entry as a statement parameter. */
export const TIMELINE_ROW = {
  id: "uuid",
  order_id: "uuid",
  account_id: "uuid",
  at: "timestamptz",
  kind: "text",
  actor: "jsonb",
  data: "jsonb",
  internal: "boolean",
} as const satisfies Columns;

type TimelineRow = RowOf<typeof TIMELINE_ROW>;

/** An insert of those `rows`, a recordset with the columns of `TIMELINE_ROW`, that meet `condition`. */
export function timelineInsert(rows: string, condition = "true"): string {
  return `${insertInto("orders.timeline", TIMELINE_ROW, rows)} where ${condition}`;
}

/** The timeline entries among an order's effects, in sequence. */
export function timelineRows(
  order: Pick<Order, "id" | "account_id">,
  effects: readonly Effect[],
  { actor, now }: DecisionContext,
): TimelineRow[] {
  const entries = effects.filter((effect) => effect.effect === "timeline");
  const ids = newIds(now, entries.length);
  const shared = { order_id: order.id, account_id: order.account_id, at: now, actor };
  return entries.map(({ kind, data, internal = false }, n) => {
    return { id: ids[n] ?? "", ...shared, kind, data, internal };
  });
}

interface TimelineEntry {
  readonly id: string;
  readonly at: Date;
  readonly kind: string;
  readonly actor: Actor;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A timeline entry as the desk sees it. */
export function presentTimelineEntry({ id, at, kind, actor, data }: TimelineEntry) {
  return { id, at: at.toISOString(), kind, actor, data };
}

/** A timeline entry as customers see it: the desk acts as one, whoever the operator was. */
export function presentToCustomer({ actor, ...entry }: TimelineEntry) {
  const { type } = actor;
  const shown = type === "desk" ? { type, id: null, name: null } : actor;
  return presentTimelineEntry({ ...entry, actor: shown });
}

interface TimelineList {
  readonly orderId: string;
  readonly audience: Audience;
  readonly range: IdRange;
}

/** An order's timeline in a range of ids, in scan order, as far as it fits a page: its entries repeat comments. */
export async function listTimeline(
  db: Queryable,
  { orderId, audience, range }: TimelineList,
): Promise<PageRows<TimelineEntry>> {
  const page = `select id, at, kind, actor, data from orders.timeline
    where order_id = $1 and id > $2 and id < $3 and ($5 or not internal)
    order by id ${range.direction} limit $4`;
  const rows = await queryRows<TimelineEntry & CutRow>(db, {
    text: cutPageById(page, range.direction, "octet_length(p.data::text)"),
    values: [orderId, range.above, range.below, range.fetch, audience === "desk"],
  });
  return rowsOfPage(rows, range.fetch);
}

interface EntryAddress extends Pick<TimelineList, "orderId" | "audience"> {
  readonly id: string;
}

/** Whether the audience sees the entry in the order's timeline; a cursor must be the id of one. */
export async function hasTimelineEntry(
  db: Queryable,
  { orderId, audience, id }: EntryAddress,
): Promise<boolean> {
  const text =
    "select id from orders.timeline where order_id = $1 and id = $2 and ($3 or not internal)";
  return (await queryRows(db, { text, values: [orderId, id, audience === "desk"] })).length === 1;
}

const NOTE = timelineInsert(recordset("$1", TIMELINE_ROW));

/** Notes for the desk in the timeline that its decision came too late. */
export async function noteSuperseded(
  tx: Queryable,
  order: Order,
  { attempt, now }: { readonly attempt: number; readonly now: Date },
): Promise<void> {
  const data = { decision_superseded: true, attempt };
  const note = { effect: "timeline", kind: "ignored", data, internal: true } as const;
  const rows = timelineRows(order, [note], { actor: SYSTEM_ACTOR, now });
  await queryRows(tx, { text: NOTE, values: [recordsetValue(TIMELINE_ROW, rows)] });
}
