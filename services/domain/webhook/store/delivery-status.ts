import { statusesThatEnd, type DeliveryStatus } from "../rules/delivery.ts";
import { DELIVERY_TRANSITIONS, type MoveTrigger } from "../rules/delivery-transitions.ts";

const TABLE = JSON.stringify(DELIVERY_TRANSITIONS);

/** SQL: the status to which a trigger leads; null, which no row takes, where the table has no such move. */
export function statusAfter(status: string, trigger: string): string {
  return `('${TABLE}'::jsonb -> ${status} ->> ${trigger})`;
}

/** A trigger as SQL. */
export function by(trigger: MoveTrigger): string {
  return `'${trigger}'`;
}

/** SQL: whether a delivery has one of the statuses. */
export function hasStatus(delivery: string, statuses: readonly DeliveryStatus[]): string {
  return `${delivery}.status in (${statuses.map((status) => `'${status}'`).join(", ")})`;
}

/** SQL: whether a delivery is to be attempted, in the form in which the indexes of waiting deliveries have it. */
export function isWaiting(delivery: string): string {
  return hasStatus(delivery, statusesThatEnd(null));
}

/**
 * SQL: the same of a delivery that is looked up by its id. It lists the other statuses so that the planner uses the
 * primary key and not an index of waiting deliveries: in a new month's table it takes both for empty.
 */
export function isOpen(delivery: string): string {
  return `not ${hasStatus(delivery, statusesThatEnd("received", "given_up", "not_sent"))}`;
}

/**
 * A recursive `queues` (endpoint_key, account_id) of all endpoint queues with waiting deliveries. It steps from endpoint
 * to endpoint through the index of waiting deliveries, so that a long backlog does not slow down the others.
 */
export const WAITING_QUEUES = `queues as (
    (select d.endpoint_key, d.account_id from webhooks.deliveries d
      where ${isWaiting("d")} order by d.endpoint_key limit 1)
    union all
    select n.endpoint_key, n.account_id from queues l cross join lateral (
      select d.endpoint_key, d.account_id from webhooks.deliveries d
      where ${isWaiting("d")} and d.endpoint_key > l.endpoint_key
      order by d.endpoint_key limit 1
    ) n
  )`;
