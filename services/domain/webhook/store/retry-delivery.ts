import { outgoing, type MessageContext } from "../../../messages/bus/outgoing.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { newId } from "../../../platform/ids.ts";
import { writeOutbox } from "../../../platform/outbox/outbox.ts";
import { MAX_ATTEMPTS, type DeliveryStatus } from "../rules/delivery.ts";
import {
  deliveryMoveOf,
  deliveryTargetOf,
  RETRIABLE_STATUSES,
} from "../rules/delivery-transitions.ts";
import { endpointAtOwn, isUndirected } from "./delivery-targets.ts";

/** The account that creates deliveries, and when. */
export interface ResendContext {
  readonly messages: MessageContext;
  readonly accountId: string;
  readonly now: Date;
}

/** A delivery that is due immediately. */
export interface Waiting {
  readonly id: string;
  readonly endpoint_key: string;
}

/** Notifies the sender through the outbox, so that an accepted request does not depend on Kafka being available. */
export async function announceDeliveries(
  tx: Queryable,
  { messages, now }: ResendContext,
  waiting: readonly Waiting[],
): Promise<void> {
  const announcements = waiting.map(({ id, endpoint_key }) => {
    const message = { endpoint_key, delivery_ids: [id] };
    const address = { key: endpoint_key, messageId: newId(now) };
    return outgoing(messages, "porting.webhook-attempts", { ...address, message });
  });
  await writeOutbox(tx, announcements);
}

const LOCK = `select d.id, d.endpoint_key, d.status, jsonb_array_length(d.attempt_log) as logged, e.deleted_at is not null as is_deleted,
    coalesce(not coalesce(e.active, s.active), false) as is_paused, ${isUndirected("d", "o")} as is_undirected
  from webhooks.deliveries d left join webhooks.endpoints e on e.id = d.endpoint_id
  left join webhooks.order_destinations o on o.order_id = d.order_id
  left join lateral (${endpointAtOwn("d", "o", "s.active")}) s on true
  where d.account_id = $1 and d.id = $2 and d.created_at = messaging.time_of($2) for update of d`;

const RETRY = `update webhooks.deliveries set status = $3, by_hand = true, priority = 0,
    next_attempt_at = $2, completed_at = null, lease_until = null
  where id = $1 and created_at = messaging.time_of($1)`;

interface LockedDelivery extends Waiting {
  readonly status: DeliveryStatus;
  readonly logged: number;
  readonly is_deleted: boolean;
  readonly is_paused: boolean;
  readonly is_undirected: boolean;
}

/**
 * Makes one more attempt of a failed or skipped delivery due now, outside of the schedule. Returns the status that it had.
 * Call within a transaction.
 * @throws `not_found`; `invalid_state` if it has another status or its endpoint was deleted; `endpoint_paused`;
 * `quota_exceeded` after 100 attempts
 */
export async function retryDelivery(
  tx: Queryable,
  context: ResendContext,
  id: string,
): Promise<DeliveryStatus> {
  const [delivery] = await queryRows<LockedDelivery>(tx, {
    name: "delivery-lock",
    text: LOCK,
    values: [context.accountId, id],
  });
  if (delivery === undefined) {
    throw new AppError("not_found", "There is no such webhook delivery.");
  }
  const { status } = delivery;
  if (deliveryTargetOf(delivery, "retried") === null) {
    const detail = `Only a ${RETRIABLE_STATUSES.join(" or ")} delivery can be retried; this one is \`${status}\`.`;
    throw new AppError("invalid_state", detail);
  }
  if (delivery.is_deleted) {
    const way = "Republish its event, or recover another endpoint.";
    throw new AppError("invalid_state", `Its webhook endpoint was deleted. ${way}`);
  }
  if (delivery.logged >= MAX_ATTEMPTS) {
    const detail = `A delivery has ${MAX_ATTEMPTS} attempts at most. Republish its event for another.`;
    throw new AppError("quota_exceeded", detail);
  }
  if (delivery.is_undirected) {
    throw new AppError("invalid_state", "Its order has no `webhook_url` any more.");
  }
  if (delivery.is_paused) {
    throw new AppError("endpoint_paused", "Its webhook endpoint is paused. Set it active first.");
  }
  await queryRows(tx, {
    name: "delivery-retry",
    text: RETRY,
    values: [id, context.now, deliveryMoveOf(delivery, "retried")],
  });
  await announceDeliveries(tx, context, [delivery]);
  return status;
}
