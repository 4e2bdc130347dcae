import { insertInto, type Columns, type RowOf } from "../../../platform/db/recordset.ts";
import { newIds } from "../../../platform/ids.ts";
import type { DecisionContext, Effect } from "../rules/effects.ts";
import type { Order } from "../rules/order.ts";

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

export type TimelineRow = RowOf<typeof TIMELINE_ROW>;

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
