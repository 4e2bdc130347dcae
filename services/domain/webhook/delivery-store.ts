import type { EventType } from "../../messages/event-types.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { IdRange } from "../../platform/db/id-range.ts";
import type { Delivery, DeliveryStatus } from "./delivery.ts";

export interface DeliveryFilter {
  readonly status?: readonly DeliveryStatus[] | undefined;
  readonly event_type?: readonly EventType[] | undefined;
  readonly webhook_endpoint_id?: string | undefined;
  readonly porting_order_id?: string | undefined;
  readonly event_id?: string | undefined;
}

/** The condition of each filter; only those given are in the statement, so that each finds its own index. */
const CONDITIONS = {
  status: (at: string) => `d.status = any (${at}::text[])`,
  event_type: (at: string) => `d.event_type = any (${at}::text[])`,
  webhook_endpoint_id: (at: string) => `d.endpoint_id = ${at}`,
  porting_order_id: (at: string) => `d.order_id = ${at}`,
  event_id: (at: string) => `d.event_id = ${at}`,
} as const satisfies Record<keyof DeliveryFilter, (at: string) => string>;

const FILTERS = Object.keys(CONDITIONS) as (keyof DeliveryFilter)[];

const COLUMNS = `d.id, d.event_id, d.event_type, d.endpoint_id as webhook_endpoint_id, d.url,
  d.order_id as porting_order_id, d.status, d.trigger, d.attempt_count,
  case when d.lease_until is null then d.next_attempt_at end as next_attempt_at,
  d.created_at, d.completed_at, d.attempt_log, coalesce(d.test_body, l.body) as body`;

/** Partitioned tables both: the event's and the delivery's times go with their ids. */
const LOG = "left join events.log l on l.id = d.event_id and l.created_at = d.event_at";

type DeliveryRow = Omit<Delivery, "payload"> & { readonly body: Buffer | null };

function toDelivery({ body, ...row }: DeliveryRow): Delivery {
  const payload: unknown = body === null ? null : JSON.parse(body.toString("utf8"));
  return { ...row, payload };
}

export interface DeliveryList {
  readonly accountId: string;
  readonly range: IdRange;
  readonly filter: DeliveryFilter;
}

/** An account's deliveries in a range of ids that fit every given filter, in scan order. */
export async function listDeliveries(
  db: Queryable,
  { accountId, range, filter }: DeliveryList,
): Promise<Delivery[]> {
  const values: unknown[] = [accountId, range.above, range.below, range.fetch];
  const conditions = FILTERS.filter((name) => filter[name] !== undefined).map((name) => {
    values.push(filter[name]);
    return `and ${CONDITIONS[name](`$${values.length}`)}`;
  });
  const rows = await queryRows<DeliveryRow>(db, {
    text: `select ${COLUMNS} from (
        select d.* from webhooks.deliveries d
        where d.account_id = $1 and d.id > $2 and d.id < $3 ${conditions.join(" ")}
        order by d.id ${range.direction} limit $4
      ) d ${LOG} order by d.id ${range.direction}`,
    values,
  });
  return rows.map(toDelivery);
}

const FIND = `select ${COLUMNS} from webhooks.deliveries d ${LOG}
  where d.account_id = $1 and d.id = $2 and d.created_at = messaging.time_of($2)`;

/** @throws `not_found` */
export async function findDelivery(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<Delivery> {
  const [row] = await queryRows<DeliveryRow>(db, {
    name: "delivery-find",
    text: FIND,
    values: [accountId, id],
  });
  if (row === undefined) throw new AppError("not_found", "There is no such webhook delivery.");
  return toDelivery(row);
}

const FIND_ALL = `select ${COLUMNS} from unnest($2::uuid[]) with ordinality u (id, nth)
  join webhooks.deliveries d on d.id = u.id and d.created_at = messaging.time_of(u.id) ${LOG}
  where d.account_id = $1 order by u.nth`;

/** Those of the deliveries that the account has, in the order given. */
export async function findDeliveries(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<Delivery[]> {
  const rows = await queryRows<DeliveryRow>(db, {
    name: "deliveries-find",
    text: FIND_ALL,
    values: [accountId, ids],
  });
  return rows.map(toDelivery);
}

/** Whether the account has the delivery: a cursor must name one. */
export async function hasDelivery(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await queryRows(db, {
    text: `select id from webhooks.deliveries
      where account_id = $1 and id = $2 and created_at = messaging.time_of($2)`,
    values: [accountId, id],
  });
  return rows.length === 1;
}
