import { cutPageById, rowsOfPage, type CutRow } from "../../../platform/db/cut-page.ts";
import { recordset, recordsetValue } from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { IdRange } from "../../../platform/db/id-range.ts";
import type { PageRows } from "../../../platform/http/paging/paging.ts";
import { SYSTEM_ACTOR, type Actor, type Order } from "../rules/order.ts";
import type { Audience } from "./comments.ts";
import { TIMELINE_ROW, timelineInsert, timelineRows } from "./timeline-rows.ts";

export interface TimelineEntry {
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

export interface TimelineList {
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

export interface EntryAddress extends Pick<TimelineList, "orderId" | "audience"> {
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
