import { FIRST_STATUS } from "../../../domain/webhook/rules/delivery-transitions.ts";
import { portOutOf, targetsOf, timed } from "../../../domain/webhook/store/delivery-targets.ts";
import {
  announceDeliveries,
  type ResendContext,
  type Waiting,
} from "../../../domain/webhook/store/retry-delivery.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { newId } from "../../../platform/ids.ts";
import { sampledTraceparent } from "../../../platform/traceparent.ts";

const FIND_EVENT = `select l.id from events.log l
  where l.account_id = $1 and l.id = $2 and l.created_at = messaging.time_of($2)`;

const REPUBLISH = `with event as (
    select l.id, l.account_id, l.type, l.order_id, l.created_at as at, ${portOutOf("l")} as port_out_id
    from events.log l
    where l.account_id = $1 and l.id = $2 and l.created_at = messaging.time_of($2)
  ), ${targetsOf("event")}, active as (
    select t.* from targets t where t.active
  ), ${timed("active", "m.endpoint_key")}
  insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
    endpoint_id, endpoint_key, order_id, url, status, next_attempt_at, traceparent)
  select t.delivery_id, t.created_at, t.account_id, t.id, t.type, t.at, $3::uuid, 'republish',
    t.endpoint_id, t.endpoint_key, t.target_order_id, t.url, '${FIRST_STATUS.active}', $4::timestamptz, $5
  from timed t
  returning id, endpoint_key`;

/**
 * Sends an event again to the active endpoints that match it now. Returns the ids of the new deliveries. Call within a
 * transaction.
 * @throws `not_found`
 */
export async function republishEvent(
  tx: Queryable,
  context: ResendContext,
  eventId: string,
): Promise<string[]> {
  const { accountId, now } = context;
  await requireEvent(tx, accountId, eventId);
  const made = await queryRows<Waiting>(tx, {
    name: "event-republish",
    text: REPUBLISH,
    values: [accountId, eventId, newId(now), now, sampledTraceparent()],
  });
  await announceDeliveries(tx, context, made);
  return made.map(({ id }) => id);
}

/** @throws `not_found` */
async function requireEvent(db: Queryable, accountId: string, eventId: string): Promise<void> {
  const [event] = await queryRows(db, {
    name: "event-require",
    text: FIND_EVENT,
    values: [accountId, eventId],
  });
  if (event === undefined) throw new AppError("not_found", "There is no such event.");
}
