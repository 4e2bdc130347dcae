import { isOverriding } from "../../domain/webhook/store/overrides-endpoints.ts";
import { EVENT, eventArrays, storeCall } from "../../domain/event/store/store-events.ts";
import type { StorableEvent } from "../../domain/event/rules/storable-event.ts";
import { targetsOf } from "../../domain/webhook/store/delivery-targets.ts";
import { arrayParameters, unnested } from "../../platform/db/column-arrays.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { positionsUpsert, type Position } from "../../platform/inbox/inbox.ts";

/** New deliveries to one endpoint, or to one URL set on orders. */
export interface QueueDeliveries {
  readonly endpoint_key: string;
  readonly delivery_ids: readonly string[];
}

export interface FanOutBatch {
  readonly consumer: string;
  readonly events: readonly StorableEvent[];
  readonly positions: readonly Position[];
  readonly now: Date;
  /** The traceparents of events whose traces are sampled, by event id. */
  readonly traces?: Readonly<Record<string, string>> | undefined;
}

const EVENTS = arrayParameters(EVENT, 2);
const NOW = "($1::jsonb->>'now')::timestamptz";

/**
 * One statement stores the events, selects those that this consumer has not handled before, and creates
 * their deliveries.
 */
const FAN_OUT = `with input as materialized (
    select u.*, ${isOverriding("u.type")} as overrides
    from ${unnested({
      id: EVENTS.id,
      account_id: EVENTS.account_id,
      type: EVENTS.type,
      order_id: EVENTS.order_id,
      at: EVENTS.at,
    })}
  ), stored as materialized (
    select ${storeCall(EVENTS)} as events
  ), claimed as (
    insert into messaging.inbox (consumer, message_id)
    select $1::jsonb->>'consumer', i.id from stored cross join input i order by i.id
    on conflict do nothing returning message_id
  ), fresh as (
    select i.* from claimed c join input i on i.id = c.message_id
  ), ${targetsOf("fresh")}, made as (
    insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id,
      trigger, endpoint_id, endpoint_key, order_id, url, status, next_attempt_at, completed_at, traceparent)
    select messaging.uuid_at(t.at), t.at, t.account_id, t.id, t.type, t.at, t.id,
      'event', t.endpoint_id, t.endpoint_key, t.order_id, t.url,
      case when t.active then 'pending' else 'skipped' end,
      case when t.active then ${NOW} end, case when t.active then null else ${NOW} end,
      $1::jsonb->'traces'->>t.id::text
    from targets t order by t.id
    on conflict (event_id, endpoint_key, cause_id, created_at) do nothing
    returning id, endpoint_key, status
  ), position as (${positionsUpsert("$1")})
  select endpoint_key, array_agg(id) as delivery_ids from made where status = 'pending'
  group by endpoint_key`;

/** Stores a batch of events and creates their deliveries, once each; returns those to be sent. */
export async function fanOut(
  db: Queryable,
  { consumer, events, positions, now, traces }: FanOutBatch,
): Promise<QueueDeliveries[]> {
  return queryRows<QueueDeliveries>(db, {
    name: "webhooks-fan-out",
    text: FAN_OUT,
    values: [JSON.stringify({ consumer, positions, now, traces }), ...eventArrays(events)],
  });
}
