import { PLATFORM_PROVIDER } from "../../../messages/platform-provider.ts";
import { recordset, recordsetValue, type Columns } from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import {
  awaitedTimeOf,
  expiryOf,
  type DueTimes,
  type ExpiryKind,
  type ExpirySpans,
} from "../rules/due-times.ts";
import type { Order } from "../rules/order.ts";

const AWAITED = {
  order_id: "uuid",
  expiry: "text",
  attempt: "integer",
  port_out_ref: "text",
} as const satisfies Columns;

/** A deadline of waiting has its start, a case and a port-out their end. */
const READ = `with awaited as materialized (select u.* from ${recordset("$1", AWAITED)})
  select a.order_id, a.expiry, d.since as at
  from awaited a join orders.deadlines d on d.kind = a.expiry and d.subject_id = a.order_id::text
  where d.since is not null
  union all
  select a.order_id, null, reviews.case_due_at(a.order_id, a.attempt)
  from awaited a where a.attempt is not null
  union all
  select a.order_id, null, p.decision_deadline
  from awaited a join orders.port_outs p on p.provider = $2 and p.port_out_ref = a.port_out_ref
  where p.status = 'decision_required' and p.decision_deadline is not null`;

/** `at` is null for a case that has not been opened yet. */
interface DueRow extends Record<string, unknown> {
  readonly order_id: string;
  readonly expiry: ExpiryKind | null;
  readonly at: Date | null;
}

/** When something happens by itself with each of the orders, in one statement for all, and none where none waits. */
export async function readDueTimes(
  db: Queryable,
  orders: readonly Order[],
  spans: ExpirySpans,
): Promise<DueTimes> {
  const awaited = orders
    .map(awaitedTimeOf)
    .filter(({ expiry, attempt, port_out_ref: ref }) => (expiry ?? attempt ?? ref) !== null);
  if (awaited.length === 0) return new Map();
  const rows = await queryRows<DueRow>(db, {
    name: "order-due-times",
    text: READ,
    values: [recordsetValue(AWAITED, awaited), PLATFORM_PROVIDER],
  });
  const due = rows.flatMap(({ order_id, expiry, at }): [string, Date][] => {
    const on = expiry === null || at === null ? at : expiryOf(expiry, at, spans);
    return on === null ? [] : [[order_id, on]];
  });
  return new Map(due);
}
