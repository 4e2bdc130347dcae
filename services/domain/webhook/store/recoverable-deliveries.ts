import { statusesThatEnd } from "../rules/delivery.ts";
import { hasStatus } from "./delivery-status.ts";
import { matches, portOutOf } from "./delivery-targets.ts";

/** The consumer that creates deliveries of events; an event that it has not consumed yet is not missing. */
export const FAN_OUT_CONSUMER = "webhook-sender";

/** How far clocks may differ: an event's time comes from a process, that of its delivery from the database. */
const CLOCK_SKEW = "interval '1 day'";

/** The event columns that `recoverableOf` needs, from `events.log l`. */
export const RECOVERABLE_COLUMNS = `l.id, l.account_id, l.type, l.order_id, l.created_at as at, l.seq,
  ${portOutOf("l")} as port_out_id`;

export interface RecoverableParts {
  /** The name of the expression with the events. */
  readonly events: string;
  /** SQL for the endpoint's id and the mode. */
  readonly endpointId: string;
  readonly mode: string;
}

/**
 * The expression `recoverable` of a `with` list: the events to send to an endpoint again. Mode `failed` selects events
 * that failed there and neither succeeded nor are waiting; `missing`, matching events that have no delivery, as
 * far back as deliveries are kept; `all`, every matching event.
 */
export function recoverableOf({ events, endpointId, mode }: RecoverableParts): string {
  return `recoverable as materialized (
    select v.id, v.account_id, v.type, v.order_id, v.at, v.seq, e.url
    from ${events} v
    join webhooks.endpoints e on e.id = ${endpointId}
    left join lateral (
      select bool_or(${hasStatus("d", statusesThatEnd("given_up"))}) as failed,
        bool_or(${hasStatus("d", statusesThatEnd("received", null))}) as handled
      from webhooks.deliveries d
      where d.event_id = v.id and d.endpoint_key = e.id and d.created_at >= v.at - ${CLOCK_SKEW} and ${mode} <> 'all'
    ) s on true
    where exists (
        select from messaging.inbox i where i.message_id = v.id and i.consumer = '${FAN_OUT_CONSUMER}'
      ) and case ${mode}
        when 'failed' then s.failed and not s.handled
        when 'missing' then not coalesce(s.failed or s.handled, false) and ${matches("v", "e")}
        else ${matches("v", "e")} end
      and (${mode} <> 'missing' or v.at >= (select dropped_before from webhooks.delivery_retention))
  )`;
}
