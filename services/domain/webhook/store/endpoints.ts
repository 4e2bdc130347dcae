import { recordset, recordsetValue, type Columns } from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { newId } from "../../../platform/ids.ts";
import { comparableUrl } from "../../../platform/net/url-rules.ts";
import type { SecretBox } from "../../../platform/secret-box.ts";
import type { IdRange } from "../../../platform/db/id-range.ts";
import {
  MAX_ENDPOINTS,
  patchEndpoint,
  type Endpoint,
  type EndpointPatch,
  type EndpointSettings,
} from "../rules/endpoint.ts";
import { settleWaiting, skipAllWaiting } from "./settle-waiting.ts";
import { newSigningSecret } from "../rules/signature.ts";

const COLUMNS = `e.id, e.url, e.description, e.enabled_events, e.active, e.max_per_second, e.paused_by,
  e.paused_reason, e.created_at, e.updated_at, h.last_success_at, h.last_failure_at,
  coalesce(h.consecutive_failures, 0) as consecutive_failures`;
const FROM = "webhooks.endpoints e left join webhooks.endpoint_health h on h.endpoint_id = e.id";

export interface EndpointAddress {
  readonly accountId: string;
  readonly id: string;
}

export interface NewEndpoint {
  readonly accountId: string;
  readonly settings: EndpointSettings;
  readonly box: SecretBox;
  readonly now: Date;
}

const LOCK_ACCOUNT = "select id from accounts.accounts where id = $1 for no key update";

const COUNT = `select count(*) as endpoints from webhooks.endpoints
  where account_id = $1 and deleted_at is null`;

const SETTINGS = {
  url: "text",
  href: "text",
  description: "text",
  enabled_events: "text[]",
  active: "boolean",
  max_per_second: "integer",
} as const satisfies Columns;

const INSERT = `insert into webhooks.endpoints (id, account_id, url, href, description, enabled_events, active,
    max_per_second, paused_by, signing_secret, secret_key_id, created_at, updated_at)
  select $1, $2, u.url, u.href, u.description, u.enabled_events, u.active, u.max_per_second,
    case when u.active then null else 'customer' end, $3, $4, $5, $5
  from ${recordset("$6", SETTINGS)}`;

function withHref<T extends Pick<EndpointSettings, "url">>(settings: T) {
  return { ...settings, href: comparableUrl(settings.url) };
}

/**
 * Creates an endpoint and its secret, which is shown only once. Call within a transaction: creations of one account are
 * serialized, so that each counts the endpoints of those before it.
 * @throws `validation_failed` if the account already has 20 endpoints
 */
export async function createEndpoint(
  tx: Queryable,
  { accountId, settings, box, now }: NewEndpoint,
): Promise<{ endpoint: Endpoint; secret: string }> {
  await queryRows(tx, { name: "account-lock", text: LOCK_ACCOUNT, values: [accountId] });
  const [counted] = await queryRows<{ endpoints: number }>(tx, {
    name: "endpoints-count",
    text: COUNT,
    values: [accountId],
  });
  if ((counted?.endpoints ?? 0) >= MAX_ENDPOINTS) throw tooMany();
  const id = newId(now);
  const secret = newSigningSecret();
  const sealed = box.seal(secret, id);
  await queryRows(tx, {
    name: "endpoint-insert",
    text: INSERT,
    values: [
      id,
      accountId,
      sealed.bytes,
      sealed.keyId,
      now,
      recordsetValue(SETTINGS, [withHref(settings)]),
    ],
  });
  return { endpoint: await findEndpoint(tx, { accountId, id }), secret };
}

function tooMany(): AppError {
  const detail = `An account may have at most ${MAX_ENDPOINTS} webhook endpoints.`;
  return new AppError("validation_failed", detail, {
    faults: [{ pointer: "#", code: "too_many_endpoints", detail }],
  });
}

const FIND = `select ${COLUMNS} from ${FROM}
  where e.account_id = $1 and e.id = $2 and e.deleted_at is null`;

/** @throws `not_found` */
export async function findEndpoint(
  db: Queryable,
  { accountId, id }: EndpointAddress,
): Promise<Endpoint> {
  const [endpoint] = await queryRows<Endpoint>(db, {
    name: "endpoint-find",
    text: FIND,
    values: [accountId, id],
  });
  if (endpoint === undefined) throw new AppError("not_found", "There is no such webhook endpoint.");
  return endpoint;
}

const list = (direction: IdRange["direction"]): string => `select ${COLUMNS} from ${FROM}
  where e.account_id = $1 and e.id > $2 and e.id < $3 and e.deleted_at is null
  order by e.id ${direction} limit $4`;

const LIST = { asc: list("asc"), desc: list("desc") };

/** An account's endpoints in a range of ids, in scan order. */
export async function listEndpoints(
  db: Queryable,
  { accountId, range }: { readonly accountId: string; readonly range: IdRange },
): Promise<Endpoint[]> {
  return queryRows<Endpoint>(db, {
    name: `endpoints-list-${range.direction}`,
    text: LIST[range.direction],
    values: [accountId, range.above, range.below, range.fetch],
  });
}

/** Whether the account has or had the endpoint; a cursor must be the id of one. */
export async function hasEndpoint(
  db: Queryable,
  { accountId, id }: EndpointAddress,
): Promise<boolean> {
  const rows = await queryRows(db, {
    text: "select id from webhooks.endpoints where account_id = $1 and id = $2",
    values: [accountId, id],
  });
  return rows.length === 1;
}

const LOCK = `${FIND} for update of e`;

const CHANGED = {
  ...SETTINGS,
  paused_by: "text",
  paused_reason: "text",
} as const satisfies Columns;

const UPDATE = `with changed as (
    update webhooks.endpoints e set url = u.url, href = u.href, description = u.description, enabled_events = u.enabled_events,
      active = u.active, max_per_second = u.max_per_second, paused_by = u.paused_by,
      paused_reason = u.paused_reason, updated_at = $2,
      resumed_at = case when $3 then clock_timestamp() else e.resumed_at end
    from ${recordset("$5", CHANGED)}
    where e.id = $1 returning e.id
  ), recovered as (
    update webhooks.endpoint_health set consecutive_failures = 0, failing_since = null, failed_deliveries = 0,
      first_failed_at = null, last_failed_at = null
    where endpoint_id = $1 and $3::boolean
  ), skipped as (${settleWaiting("endpoint_paused", "$2")} and $4::boolean)
  select id from changed`;

/** Changes an endpoint within a transaction. Pausing skips its waiting deliveries. @throws `not_found` */
export async function updateEndpoint(
  tx: Queryable,
  { accountId, id }: EndpointAddress,
  { patch, now }: { readonly patch: EndpointPatch; readonly now: Date },
): Promise<Endpoint> {
  const [before] = await queryRows<Endpoint>(tx, {
    name: "endpoint-lock",
    text: LOCK,
    values: [accountId, id],
  });
  if (before === undefined) throw new AppError("not_found", "There is no such webhook endpoint.");
  const { endpoint, paused, resumed } = patchEndpoint(before, patch, now);
  // Deliveries that were waiting when it was paused are never sent.
  if (resumed) await skipAllWaiting(tx, id, now);
  await queryRows(tx, {
    name: "endpoint-update",
    text: UPDATE,
    values: [endpoint.id, now, resumed, paused, recordsetValue(CHANGED, [withHref(endpoint)])],
  });
  return endpoint;
}

const DELETE = `with changed as (
    update webhooks.endpoints set deleted_at = $3, updated_at = $3
    where account_id = $1 and id = $2 and deleted_at is null returning id
  ), cancelled as (${settleWaiting("endpoint_deleted", "$3")})
  select id from changed`;

/** Deletes an endpoint and cancels its waiting deliveries, which stay in the log. @throws `not_found` */
export async function deleteEndpoint(
  db: Queryable,
  { accountId, id }: EndpointAddress,
  now: Date,
): Promise<void> {
  const rows = await queryRows(db, {
    name: "endpoint-delete",
    text: DELETE,
    values: [accountId, id, now],
  });
  if (rows.length === 0) throw new AppError("not_found", "There is no such webhook endpoint.");
}
