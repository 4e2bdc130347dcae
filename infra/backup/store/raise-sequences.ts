import { queryRows, type Queryable } from "../../../services/platform/db/transaction.ts";
import type { StorableEvent } from "../../../services/domain/event/rules/storable-event.ts";

const TOPS = `select account_id, sequence_key, max(order_sequence) as top
  from unnest($1::uuid[], $2::text[], $3::integer[]) u (account_id, sequence_key, order_sequence)
  group by account_id, sequence_key`;

const RAISE = `with tops as (${TOPS}), of_orders as (
    update orders.porting_orders o set event_sequence = t.top
    from tops t where o.id::text = t.sequence_key and o.event_sequence < t.top
  ), of_port_outs as (
    update orders.port_outs p set event_sequence = t.top
    from tops t where p.id::text = t.sequence_key and p.event_sequence < t.top
  )
  update orders.numbers n set event_sequence = t.top
  from tops t
  where n.account_id = t.account_id and n.phone_number = t.sequence_key and n.event_sequence < t.top`;

/** Raises the counters of orders, port-outs and numbers to their events', so that no sequence number is assigned twice. */
export async function raiseSequences(
  db: Queryable,
  events: readonly StorableEvent[],
): Promise<void> {
  const numbered = events.filter(({ orderSequence }) => orderSequence !== null);
  if (numbered.length === 0) return;
  await queryRows(db, {
    text: RAISE,
    values: [
      numbered.map((event) => event.accountId),
      numbered.map((event) => event.sequenceKey),
      numbered.map((event) => event.orderSequence),
    ],
  });
}
