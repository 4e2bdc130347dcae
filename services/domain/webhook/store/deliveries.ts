import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import type { Delivery } from "../rules/delivery.ts";

/** The columns of a delivery `d` with its body; `attempts` is the SQL of its attempt log. */
export const deliveryColumns = (
  attempts: string,
): string => `d.id, d.event_id, d.event_type, d.endpoint_id as webhook_endpoint_id, d.url,
  d.order_id as porting_order_id, d.status, d.trigger,
  d.attempt_count - (d.lease_until is not null)::integer as attempt_count, d.lease_until is not null as attempting,
  case when d.lease_until is null then d.next_attempt_at end as next_attempt_at,
  d.created_at, d.completed_at, ${attempts} as attempt_log,
  coalesce(d.test_body, l.body) as body`;

const WHOLE = deliveryColumns("d.attempt_log");

/** Both tables are partitioned by time, so ids are always joined together with their times. */
export const DELIVERY_BODY =
  "left join events.log l on l.id = d.event_id and l.created_at = d.event_at";

export type DeliveryRow = Omit<Delivery, "payload"> & { readonly body: Buffer | null };

export function toDelivery(row: DeliveryRow): Delivery {
  const payload: unknown = row.body === null ? null : JSON.parse(row.body.toString("utf8"));
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.event_type,
    webhook_endpoint_id: row.webhook_endpoint_id,
    url: row.url,
    porting_order_id: row.porting_order_id,
    status: row.status,
    trigger: row.trigger,
    attempt_count: row.attempt_count,
    attempting: row.attempting,
    next_attempt_at: row.next_attempt_at,
    created_at: row.created_at,
    completed_at: row.completed_at,
    attempt_log: row.attempt_log,
    payload,
  };
}

const FIND = `select ${WHOLE} from webhooks.deliveries d ${DELIVERY_BODY}
  where ($1::uuid is null or d.account_id = $1) and d.id = $2 and d.created_at = messaging.time_of($2)`;

/** An account's delivery, or any account's if `accountId` is null. @throws `not_found` */
export async function findDelivery(
  db: Queryable,
  accountId: string | null,
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

const FIND_ALL = `select ${WHOLE} from unnest($2::uuid[]) with ordinality u (id, nth)
  join webhooks.deliveries d on d.id = u.id and d.created_at = messaging.time_of(u.id) ${DELIVERY_BODY}
  where d.account_id = $1 order by u.nth`;

/** The account's deliveries among the ids, in the given order. */
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

/** Whether the account has the delivery; a cursor must be the id of one. */
export async function hasDelivery(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await queryRows(db, {
    name: "delivery-exists",
    text: `select d.id from webhooks.deliveries d
      where d.account_id = $1 and d.id = $2 and d.created_at = messaging.time_of($2)`,
    values: [accountId, id],
  });
  return rows.length === 1;
}
