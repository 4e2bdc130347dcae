import { EVENT, eventArrays, storeCall } from "../../domain/event/store/store-events.ts";
import { firstById, type StorableEvent } from "../../domain/event/rules/storable-event.ts";
import { portOutOf, targetsOf, timed } from "../../domain/webhook/store/delivery-targets.ts";
import { FIRST_STATUS } from "../../domain/webhook/rules/delivery-transitions.ts";
import { isWaiting } from "../../domain/webhook/store/delivery-status.ts";
import { arrayParameters, unnested } from "../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { positionsUpsert, type Position } from "../../platform/inbox/inbox.ts";
import { PRIORITIES } from "../queue/endpoint-queue.ts";
import { LEASE, type ClaimedDelivery } from "./claim-deliveries.ts";

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
  /** How many deliveries of each endpoint are claimed at once by this process. */
  readonly rooms?: Readonly<Record<string, number>> | undefined;
}

export interface FannedOut {
  readonly claimed: readonly ClaimedDelivery[];
  /** Deliveries that are to be claimed. */
  readonly waiting: readonly QueueDeliveries[];
}

const EVENTS = arrayParameters(EVENT, 2);
const NOW = "($1::jsonb->>'now')::timestamptz";

/**
 * One statement stores the events, selects those that this consumer has not handled before, creates their deliveries, and
 * claims those that there is room for. What is sent is what the log has: what was stored by another before is read from it.
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
  ), wanted as (
    select t.*, coalesce(row_number() over (partition by t.endpoint_id order by t.at, t.id) <= o.room, false) as has_room
    from targets t left join open o on o.endpoint_key = t.endpoint_id
  ), ${timed("wanted", "m.at, m.id, m.endpoint_key")}, made as (
    insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
      endpoint_id, endpoint_key, order_id, url, status, next_attempt_at, completed_at, traceparent,
      attempt_count, claim_no, claimed_at, lease_until)
    select t.delivery_id, t.created_at, t.account_id, t.id, t.type, t.at, t.id, 'event',
      t.endpoint_id, t.endpoint_key, t.target_order_id, t.url,
      case when t.active then '${FIRST_STATUS.active}' else '${FIRST_STATUS.paused}' end,
      case when t.active then ${NOW} end, case when t.active then null else ${NOW} end, $1::jsonb->'traces'->>t.id::text,
      t.has_room::integer, t.has_room::integer, case when t.has_room then clock_timestamp() end,
      case when t.has_room then clock_timestamp() + ${LEASE} end
    from timed t order by t.delivery_id
    returning id, event_id, endpoint_key, status, lease_until is not null as is_claimed
  ), position as (${positionsUpsert("$1")}), logged as (
    select b.id, b.body from stored s cross join lateral events.bodies_of(${EVENTS.id}, ${EVENTS.at}) b
    where s.events < (select count(*) from input)
  ), queues as (
    select m.endpoint_key, coalesce(array_agg(m.id order by m.id) filter (where not m.is_claimed), '{}') as delivery_ids,
      coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'event_id', m.event_id, 'logged', encode(l.body, 'base64')))
        filter (where m.is_claimed), '[]') as claimed
    from made m left join logged l on m.is_claimed and l.id = m.event_id
    where ${isWaiting("m")} group by m.endpoint_key
  )
  select q.*, o.url, o.max_per_second, o.signing_secret, o.secret_key_id, o.previous_secret, o.previous_secret_key_id
  from queues q left join open o using (endpoint_key)`;

/** What a claim returns of an endpoint; all null where nothing was claimed. */
type EndpointFacts = Pick<
  ClaimedDelivery,
  | "max_per_second"
  | "signing_secret"
  | "secret_key_id"
  | "previous_secret"
  | "previous_secret_key_id"
>;

interface ClaimedRow {
  readonly id: string;
  readonly event_id: string;
  /** The body that the log has, where it had some of the events before; else null. */
  readonly logged: string | null;
}

interface QueueRow extends QueueDeliveries, EndpointFacts {
  readonly url: string | null;
  readonly claimed: readonly ClaimedRow[];
}

/** Stores a batch of events and creates their deliveries, once each; returns those to be sent. */
export async function fanOut(db: Queryable, batch: FanOutBatch): Promise<FannedOut> {
  const { consumer, events, positions, now, traces = {}, rooms = {} } = batch;
  const rows = await queryRows<QueueRow>(db, {
    name: "webhooks-fan-out",
    text: FAN_OUT,
    values: [JSON.stringify({ consumer, positions, now, traces, rooms }), ...eventArrays(events)],
  });
  const byId = firstById(events);
  return {
    claimed: rows.flatMap((row) =>
      row.claimed.flatMap((one) => {
        const event = byId.get(one.event_id);
        if (event === undefined) return [];
        return [claimedAtOnce(row, one, event, traces[event.id] ?? null)];
      }),
    ),
    waiting: rows.filter(({ delivery_ids: ids }) => ids.length > 0),
  };
}

function claimedAtOnce(
  row: QueueRow,
  { id, logged }: ClaimedRow,
  event: StorableEvent,
  traceparent: string | null,
): ClaimedDelivery {
  return {
    id,
    account_id: event.accountId,
    event_id: event.id,
    event_type: event.type,
    event_at: event.createdAt,
    endpoint_key: row.endpoint_key,
    claim_no: 1,
    attempt_count: 1,
    by_hand: false,
    priority: PRIORITIES.first,
    traceparent,
    max_per_second: row.max_per_second,
    url: row.url ?? "",
    body: logged === null ? event.body : Buffer.from(logged, "base64"),
    secret_owner: row.endpoint_key,
    signing_secret: row.signing_secret,
    secret_key_id: row.secret_key_id,
    previous_secret: row.previous_secret,
    previous_secret_key_id: row.previous_secret_key_id,
  };
}
