import { EVENT_TYPES, overridesEndpoints } from "../../../messages/events.ts";
import { matches } from "./delivery-targets.ts";

/** The consumer that makes deliveries of events; what it has not seen yet is not missing. */
export const FAN_OUT_CONSUMER = "webhook-sender";

const OVERRIDING = EVENT_TYPES.filter(overridesEndpoints)
  .map((type) => `'${type}'`)
  .join(", ");

/** The columns of events that `recoverableOf` asks for, of an `events.log l`. */
export const RECOVERABLE_COLUMNS = `l.id, l.account_id, l.type, l.order_id, l.created_at as at, l.seq,
  l.type in (${OVERRIDING}) as overrides`;

export interface RecoverableParts {
  /** The name of the expression with the events. */
  readonly events: string;
  /** SQL for the endpoint's id and the mode. */
  readonly endpointId: string;
  readonly mode: string;
}

/**
 * As an expression of a `with` list: `recoverable`, those of the events that an endpoint is to be sent again. `failed`:
 * what failed there and neither succeeded nor waits; `missing`: what matches it and was never tried, as far back as
 * deliveries are kept; `all`: what matches.
 */
export function recoverableOf({ events, endpointId, mode }: RecoverableParts): string {
  return `recoverable as materialized (
    select v.id, v.account_id, v.type, v.order_id, v.at, v.seq, e.url
    from ${events} v
    join webhooks.endpoints e on e.id = ${endpointId}
    left join lateral (
      select bool_or(d.status = 'failed') as failed,
        bool_or(d.status in ('succeeded', 'pending', 'retrying')) as stands
      from webhooks.deliveries d
      where d.event_id = v.id and d.endpoint_key = e.id and d.created_at >= v.at and ${mode} <> 'all'
    ) s on true
    where exists (
        select from messaging.inbox i where i.message_id = v.id and i.consumer = '${FAN_OUT_CONSUMER}'
      ) and case ${mode}
        when 'failed' then s.failed and not s.stands
        when 'missing' then not coalesce(s.failed or s.stands, false) and ${matches("v", "e")}
        else ${matches("v", "e")} end
      and (${mode} <> 'missing' or v.at >= (select dropped_before from webhooks.delivery_retention))
  )`;
}
