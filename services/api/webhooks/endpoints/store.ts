import { FIRST_STATUS } from "../../../domain/webhook/rules/delivery-transitions.ts";
import { sampleBody } from "../../../domain/event/rules/serialize-event.ts";
import type { Endpoint } from "../../../domain/webhook/rules/endpoint.ts";
import {
  newSigningSecret,
  overlapEnd,
  type RotatedSecret,
} from "../../../domain/webhook/rules/signature.ts";
import { timed } from "../../../domain/webhook/store/delivery-targets.ts";
import { findEndpoint, type EndpointAddress } from "../../../domain/webhook/store/endpoints.ts";
import {
  announceDeliveries,
  type ResendContext,
  type Waiting,
} from "../../../domain/webhook/store/retry-delivery.ts";
import { isSentEventType, type SentEventType } from "../../../messages/events.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { newId } from "../../../platform/ids.ts";
import type { SecretBox } from "../../../platform/secret-box.ts";
import { sampledTraceparent } from "../../../platform/traceparent.ts";

interface Rotation {
  readonly box: SecretBox;
  /** How long the current secret stays valid too; 0 ends it at once, along with any overlap still running. */
  readonly overlapSeconds: number;
  readonly now: Date;
}

const ROTATE = `update webhooks.endpoints set signing_secret = $3, secret_key_id = $4,
    previous_secret = case when $5::timestamptz is not null then signing_secret end,
    previous_secret_key_id = case when $5::timestamptz is not null then secret_key_id end,
    previous_secret_expires_at = $5, updated_at = $6
  where account_id = $1 and id = $2 and deleted_at is null returning id`;

/** Replaces an endpoint's secret; the new one is shown only once. At most two are valid at a time. @throws `not_found` */
export async function rotateEndpointSecret(
  db: Queryable,
  { accountId, id }: EndpointAddress,
  { box, overlapSeconds, now }: Rotation,
): Promise<RotatedSecret> {
  const secret = newSigningSecret();
  const sealed = box.seal(secret, id);
  const previousExpiresAt = overlapEnd(overlapSeconds, now);
  const rows = await queryRows(db, {
    name: "endpoint-secret-rotate",
    text: ROTATE,
    values: [accountId, id, sealed.bytes, sealed.keyId, previousExpiresAt, now],
  });
  if (rows.length === 0) throw new AppError("not_found", "There is no such webhook endpoint.");
  return { secret, previousExpiresAt };
}

interface TestRequest {
  readonly endpointId: string;
  /** If absent, the first type that the endpoint is subscribed to. */
  readonly type: SentEventType | undefined;
}

const INSERT = `with wanted as (select $1::uuid as account_id), ${timed("wanted", "m.account_id")}
  insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id,
    trigger, endpoint_id, endpoint_key, url, status, next_attempt_at, test_body, traceparent)
  select t.delivery_id, t.created_at, t.account_id, $2, $3, $4::timestamptz, $2, 'test', $5, $5, $6, '${FIRST_STATUS.active}',
    $4::timestamptz, $7, $8
  from timed t
  returning id, endpoint_key`;

/**
 * Delivers a sample event, which is not in the feed, to an endpoint; returns the delivery's id. Call in a transaction.
 * @throws `not_found`, `endpoint_paused`
 */
export async function testEndpoint(
  tx: Queryable,
  context: ResendContext,
  { endpointId, type }: TestRequest,
): Promise<string> {
  const { accountId, now } = context;
  const endpoint = await findEndpoint(tx, { accountId, id: endpointId });
  if (!endpoint.active) {
    throw new AppError("endpoint_paused", "The webhook endpoint is paused. Set it active first.");
  }
  const eventType = type ?? firstType(endpoint);
  const eventId = newId(now);
  const body = sampleBody(eventType, { id: eventId, accountId, at: now });
  const made = await queryRows<Waiting>(tx, {
    name: "delivery-test",
    text: INSERT,
    values: [
      accountId,
      eventId,
      eventType,
      now,
      endpointId,
      endpoint.url,
      body,
      sampledTraceparent(),
    ],
  });
  await announceDeliveries(tx, context, made);
  return made[0]?.id ?? "";
}

function firstType({ enabled_events: types }: Endpoint): SentEventType {
  return types.find(isSentEventType) ?? "porting_order.created";
}
