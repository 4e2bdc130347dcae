import { ORDER_STATUSES, type OrderStatus } from "../../domain/order/rules/order.ts";
import { factsOf, isEnded } from "../../domain/order/rules/status-facts.ts";
import { carrierIs } from "../../domain/order/store/order-row.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";

/** The statuses in which an order waits for its carrier. */
const WITH_CARRIER = ORDER_STATUSES.filter((status) => factsOf(status).actor === "carrier");

/** The statuses of orders that have not ended. */
const OPEN = ORDER_STATUSES.filter((status) => !isEnded({ status }));

/** The statuses in which nothing is asked of the carrier before the confirmed date. */
const DATED = WITH_CARRIER.filter((status) => factsOf(status).awaited === "activating");

/** Whose figures they are: a provider by its name, a carrier by its name in lower case. */
export type Party = "provider" | "carrier";

const OF = { provider: "o.provider", carrier: "lower(o.losing_carrier)" } as const;
const PARTY_OF = {
  provider: "l.context ->> 'provider'",
  carrier: "lower(l.context ->> 'losing_carrier')",
} as const;
const REJECTIONS_DAYS = 90;
const CALLS_SHOWN = 50;
/** A carrier's last update is sought among this many of its newest orders. */
const NEWEST_ORDERS = 200;

interface LastUpdate {
  readonly party: string;
  readonly at: Date;
  readonly porting_order_id: string | null;
}

const PROVIDER_UPDATES = `select p.name as party, u.received_at as at, u.order_id as porting_order_id
  from unnest($1::text[]) p (name) cross join lateral (
    select received_at, order_id from carriers.updates
    where provider = p.name order by received_at desc limit 1
  ) u`;

const CARRIER_UPDATES = `select lower(c.name) as party, o.provider_status_at as at, o.id as porting_order_id
  from unnest($1::text[]) c (name) cross join lateral (
    select n.id, n.provider_status_at from (
      select o.id, o.provider_status_at from orders.porting_orders o
      where ${carrierIs("c.name")} and o.deleted_at is null order by o.id desc limit ${NEWEST_ORDERS}
    ) n where n.provider_status_at is not null order by n.provider_status_at desc limit 1
  ) o`;

/** The latest status update of each party. */
export function readLastUpdates(
  db: Queryable,
  party: Party,
  names: readonly string[],
): Promise<LastUpdate[]> {
  const text = party === "provider" ? PROVIDER_UPDATES : CARRIER_UPDATES;
  return queryRows<LastUpdate>(db, { text, values: [names] });
}

interface OpenOrders {
  readonly party: string;
  readonly count: number;
}

/** How many orders of each party have not ended. */
export function countOpenOrders(db: Queryable, party: Party): Promise<OpenOrders[]> {
  return queryRows<OpenOrders>(db, {
    text: `select ${OF[party]} as party, count(*)::integer as count from orders.porting_orders o
      where o.deleted_at is null and o.status = any ($1::text[]) and ${OF[party]} is not null group by 1`,
    values: [OPEN],
  });
}

interface Rejections {
  readonly party: string;
  readonly code: string | null;
  readonly count: number;
}

/**
 * What carriers rejected and refused lately, by code. A rejection that concerns a field is reported by two events, of which
 * the field's counts.
 */
export function countRejections(db: Queryable, party: Party, now: Date): Promise<Rejections[]> {
  const since = new Date(now.getTime() - REJECTIONS_DAYS * 86_400_000);
  return queryRows<Rejections>(db, {
    text: `select ${PARTY_OF[party]} as party, l.context -> 'rejection' ->> 'code' as code, count(*)::integer as count
      from events.log l
      where l.created_at >= $1 and l.context ? 'rejection' and l.context ->> 'actor' = 'carrier'
        and ${PARTY_OF[party]} is not null
        and (l.type = 'porting_order.requirement_updated'
          or l.type = 'porting_order.status_changed' and not l.context -> 'rejection' ? 'slug')
      group by 1, 2 order by 3 desc, 2`,
    values: [since],
  });
}

export interface OrderToCall {
  readonly party: string;
  /** Of all orders of the party that wait for a call. */
  readonly count: number;
  readonly id: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly status: OrderStatus;
  readonly provider: string;
  readonly losing_carrier: string | null;
  readonly customer_reference: string;
  readonly first_number: string;
  readonly numbers_count: number;
  readonly foc_actual: string | null;
  /** Why the desk was alerted; null where it was not. */
  readonly alert: string | null;
  readonly waiting_since: Date;
}

/**
 * Orders that wait for their carrier and for which somebody has to call it: those of providers by hand, except before a
 * confirmed date, and those that the desk was alerted to. The longest waiting of each party first.
 */
export function readOrdersToCall(
  db: Queryable,
  party: Party,
  { byHand, now }: { readonly byHand: readonly string[]; readonly now: Date },
): Promise<OrderToCall[]> {
  return queryRows<OrderToCall>(db, {
    text: `with waiting as (
        select ${OF[party]} as party, o.id, o.attention ->> 'reason' as alert,
          coalesce((o.attention ->> 'raised_at')::timestamptz, o.provider_status_at, o.submitted_at, o.updated_at)
            as waiting_since
        from orders.porting_orders o
        where o.deleted_at is null and o.status = any ($1::text[]) and ${OF[party]} is not null
          and (o.attention is not null or o.provider = any ($2::text[])
            and (o.status <> all ($3::text[]) or orders.instant_of(o.foc_actual) <= $4::timestamptz))
      ), ranked as (
        select w.*, count(*) over (partition by party)::integer as count,
          row_number() over (partition by party order by waiting_since, id) as nth
        from waiting w
      )
      select r.party, r.count, o.id, json_build_object('id', a.id, 'name', a.name) as account, o.status, o.provider,
        o.losing_carrier, o.customer_reference, o.foc_actual, r.alert, r.waiting_since,
        (select n.phone_number from orders.order_numbers n where n.order_id = o.id order by n.position limit 1)
          as first_number,
        (select count(*) from orders.order_numbers n where n.order_id = o.id)::integer as numbers_count
      from ranked r join orders.porting_orders o on o.id = r.id join accounts.accounts a on a.id = o.account_id
      where r.nth <= ${CALLS_SHOWN} order by r.party, r.nth`,
    values: [WITH_CARRIER, byHand, DATED, now],
  });
}
