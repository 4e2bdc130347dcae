import { BEGUN_CLAIM, LEASE } from "../../domain/webhook/store/begun-deliveries.ts";
import { EVENT, eventArrays, storeCall } from "../../domain/event/store/store-events.ts";
import { firstById, type StorableEvent } from "../../domain/event/rules/storable-event.ts";
import { portOutOf, targetsOf } from "../../domain/webhook/store/delivery-targets.ts";
import { arrayParameters, unnested } from "../../platform/db/column-arrays.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { positionsUpsert, type Position } from "../../platform/inbox/inbox.ts";
import { PRIORITIES } from "../queue/priority.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";

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
  /** How many deliveries of each endpoint are created as claimed by this process. */
  readonly rooms?: Readonly<Record<string, number>> | undefined;
}

export interface FannedOut {
  /** Deliveries that are to be claimed. */
  readonly waiting: readonly QueueDeliveries[];
  /** The same as `claimed`, by endpoint. */
  readonly begun: readonly QueueDeliveries[];
  readonly claimed: readonly ClaimedDelivery[];
}

const EVENTS = arrayParameters(EVENT, 2);
const NOW = "($1::jsonb->>'now')::timestamptz";
/** What is written when an attempt has ended needs a partition then: those of the months around are surely there. */
const OF_LATE = "interval '1 hour'";

/**
 * One statement stores the events, selects those that this consumer has not handled before, and creates their deliveries;
 * where there is room for them, as claimed and begun. What is attempted at once is what lies in memory: only where the log
 * had none of the events is it surely what the log has, and then none of them has deliveries yet.
 */
const FAN_OUT = `with input as materialized (
    select u.*, ${portOutOf("u")} as port_out_id
    from ${unnested({
      id: EVENTS.id,
      account_id: EVENTS.account_id,
      type: EVENTS.type,
      order_id: EVENTS.order_id,
      sequence_key: EVENTS.sequence_key,
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
  ), ${targetsOf("fresh")}, open as materialized (
    select e.id as endpoint_key, r.room::integer as room, e.url, e.max_per_second, e.signing_secret, e.secret_key_id,
      case when e.previous_secret_expires_at > ${NOW} then e.previous_secret end as previous_secret,
      case when e.previous_secret_expires_at > ${NOW} then e.previous_secret_key_id end as previous_secret_key_id
    from jsonb_each_text($1::jsonb->'rooms') r (key, room)
    join webhooks.endpoints e on e.id = r.key::uuid and e.active and e.deleted_at is null
    join accounts.accounts a on a.id = e.account_id and a.status = 'active'
    where (select events from stored) = (select count(*) from input)
  ), placed as materialized (
    select t.*, t.at between ${NOW} - ${OF_LATE} and ${NOW} + ${OF_LATE}
      and coalesce(row_number() over (partition by t.endpoint_key order by t.id) <= o.room, false) as begins
    from targets t left join open o on o.endpoint_key = t.endpoint_id
  ), begun as (
    insert into webhooks.begun_deliveries (id, created_at, account_id, event_id, event_type, endpoint_id, order_id,
      url, traceparent, claimed_at, lease_until)
    select messaging.uuid_at(p.at), p.at, p.account_id, p.id, p.type, p.endpoint_id, p.target_order_id,
      p.url, $1::jsonb->'traces'->>p.id::text, clock_timestamp(), clock_timestamp() + ${LEASE}
    from placed p where p.begins order by p.id
    returning id, event_id, endpoint_id
  ), made as (
    insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id,
      trigger, endpoint_id, endpoint_key, order_id, url, status, next_attempt_at, completed_at, traceparent)
    select messaging.uuid_at(p.at), p.at, p.account_id, p.id, p.type, p.at, p.id,
      'event', p.endpoint_id, p.endpoint_key, p.target_order_id, p.url,
      case when p.active then 'pending' else 'skipped' end,
      case when p.active then ${NOW} end, case when p.active then null else ${NOW} end,
      $1::jsonb->'traces'->>p.id::text
    from placed p where not p.begins order by p.id
    on conflict (event_id, endpoint_key, cause_id, created_at) do nothing
    returning id, endpoint_key, status
  ), position as (${positionsUpsert("$1")}), queues as (
    select n.endpoint_key, coalesce(array_agg(n.id) filter (where n.begun_of is null), '{}') as delivery_ids,
      coalesce(array_agg(n.id) filter (where n.begun_of is not null), '{}') as claimed_ids,
      coalesce(array_agg(n.begun_of) filter (where n.begun_of is not null), '{}') as claimed_events
    from (
      select m.id, m.endpoint_key, null::uuid as begun_of from made m where m.status = 'pending'
      union all
      select b.id, b.endpoint_id, b.event_id from begun b
    ) n group by n.endpoint_key
  )
  select q.*, o.url, o.max_per_second, o.signing_secret, o.secret_key_id, o.previous_secret, o.previous_secret_key_id
  from queues q left join open o using (endpoint_key)`;

/** What a claim tells of an endpoint; all null where nothing was claimed. */
type EndpointFacts = Pick<
  ClaimedDelivery,
  | "max_per_second"
  | "signing_secret"
  | "secret_key_id"
  | "previous_secret"
  | "previous_secret_key_id"
>;

interface QueueRow extends QueueDeliveries, EndpointFacts {
  readonly url: string | null;
  readonly claimed_ids: readonly string[];
  /** The event of each claimed delivery. */
  readonly claimed_events: readonly string[];
}

/** Stores a batch of events and creates their deliveries, once each; returns those to be sent. */
export async function fanOut(db: Queryable, batch: FanOutBatch): Promise<FannedOut> {
  const { consumer, events, positions, now, traces, rooms = {} } = batch;
  const rows = await queryRows<QueueRow>(db, {
    name: "webhooks-fan-out",
    text: FAN_OUT,
    values: [JSON.stringify({ consumer, positions, now, traces, rooms }), ...eventArrays(events)],
  });
  const byId = firstById(events);
  return {
    waiting: queuesOf(rows, (row) => row.delivery_ids),
    begun: queuesOf(rows, (row) => row.claimed_ids),
    claimed: rows.flatMap((row) =>
      row.claimed_ids.flatMap((id, n) => {
        const event = byId.get(row.claimed_events[n] ?? "");
        return event === undefined ? [] : [claimedAtOnce(row, { id, event, traces })];
      }),
    ),
  };
}

function queuesOf(
  rows: readonly QueueRow[],
  idsOf: (row: QueueRow) => readonly string[],
): QueueDeliveries[] {
  return rows.flatMap((row) => {
    const delivery_ids = idsOf(row);
    return delivery_ids.length === 0 ? [] : [{ endpoint_key: row.endpoint_key, delivery_ids }];
  });
}

interface Created extends Pick<FanOutBatch, "traces"> {
  readonly id: string;
  readonly event: StorableEvent;
}

function claimedAtOnce(row: QueueRow, { id, event, traces }: Created): ClaimedDelivery {
  return {
    id,
    account_id: event.accountId,
    event_id: event.id,
    event_type: event.type,
    event_at: event.createdAt,
    endpoint_key: row.endpoint_key,
    claim_no: BEGUN_CLAIM,
    attempt_count: 1,
    by_hand: false,
    priority: PRIORITIES.first,
    traceparent: traces?.[event.id] ?? null,
    max_per_second: row.max_per_second,
    url: row.url ?? "",
    body: event.body,
    secret_owner: row.endpoint_key,
    signing_secret: row.signing_secret,
    secret_key_id: row.secret_key_id,
    previous_secret: row.previous_secret,
    previous_secret_key_id: row.previous_secret_key_id,
  };
}
