import { overridesEndpoints } from "../../messages/events.ts";
import { storeCall, storeColumns } from "../../domain/event/store/store-events.ts";
import type { StorableEvent } from "../../domain/event/rules/storable-event.ts";
import { targetsOf } from "../../domain/webhook/store/delivery-targets.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";
import type { Position } from "../../platform/inbox/inbox.ts";
import { positionColumns, positionUpsert } from "../../platform/inbox/inbox.ts";

/** New deliveries to one endpoint, or to one URL of orders' own. */
export interface LaneDeliveries {
  readonly endpoint_key: string;
  readonly delivery_ids: readonly string[];
}

export interface FanOutBatch {
  readonly consumer: string;
  readonly events: readonly StorableEvent[];
  readonly position: Position;
  readonly now: Date;
}

/** One statement stores the events, takes those that this consumer has not handled before, and makes their deliveries. */
const FAN_OUT = `with input as materialized (
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $7::timestamptz[], $9::boolean[])
      u (id, account_id, type, order_id, at, overrides)
  ), stored as materialized (
    select ${storeCall(1)} as events
  ), claimed as (
    insert into messaging.inbox (consumer, message_id)
    select $10, i.id from stored cross join input i order by i.id
    on conflict do nothing returning message_id
  ), fresh as (
    select i.* from claimed c join input i on i.id = c.message_id
  ), ${targetsOf("fresh")}, made as (
    insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id,
      trigger, endpoint_id, endpoint_key, order_id, url, status, next_attempt_at, completed_at)
    select messaging.uuid_at(t.at), t.at, t.account_id, t.id, t.type, t.at, t.id,
      'event', t.endpoint_id, t.endpoint_key, t.order_id, t.url,
      case when t.active then 'pending' else 'skipped' end,
      case when t.active then $11::timestamptz end, case when t.active then null else $11::timestamptz end
    from targets t order by t.id
    on conflict (event_id, endpoint_key, cause_id, created_at) do nothing
    returning id, endpoint_key, status
  ), position as (${positionUpsert(12)})
  select endpoint_key, array_agg(id) as delivery_ids from made where status = 'pending'
  group by endpoint_key`;

/** Stores a batch of events and makes their deliveries, once each; returns what is to be sent. */
export async function fanOut(db: Queryable, batch: FanOutBatch): Promise<LaneDeliveries[]> {
  const { consumer, position, now } = batch;
  const events = [...new Map(batch.events.map((event) => [event.id, event])).values()];
  return queryRows<LaneDeliveries>(db, {
    name: "webhooks-fan-out",
    text: FAN_OUT,
    values: [
      ...storeColumns(events),
      events.map((event) => overridesEndpoints(event.type)),
      consumer,
      now,
      ...positionColumns(consumer, position),
    ],
  });
}
