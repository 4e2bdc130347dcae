import type { EventType } from "../../messages/events.ts";
import { statusesThatEnd, type Delivery } from "../../domain/webhook/rules/delivery.ts";
import { hasStatus, isWaiting } from "../../domain/webhook/store/delivery-status.ts";
import {
  countDeliveries,
  findDelivery,
  listDeliveries,
  type DeliveryFilter,
} from "../../domain/webhook/store/deliveries.ts";
import {
  countRows,
  pageText,
  type PageStatement,
  type Total,
} from "../../platform/db/count-rows.ts";
import { boundValues } from "../../platform/db/recordset.ts";
import { conditionsOf, type FilterConditions } from "../../platform/db/filter-conditions.ts";
import type { IdRange } from "../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { PageRows } from "../../platform/http/paging.ts";

interface AccountOf {
  readonly account: { readonly id: string; readonly name: string };
}

type DeskDelivery = Delivery & AccountOf;

interface DeskDeliveryList {
  readonly range: IdRange;
  /** Undefined for the deliveries of all accounts. */
  readonly accountId: string | undefined;
  readonly filter: DeliveryFilter;
}

/** The indexes of deliveries begin with the account, so an endpoint or an order is looked up for its own. */
const ACCOUNT_OF = `select account_id from webhooks.endpoints where id = $1::uuid
  union all select account_id from orders.porting_orders where id = $2::uuid`;

async function accountOf(
  db: Queryable,
  { accountId, filter }: DeskDeliveryList,
): Promise<string | null> {
  const { webhook_endpoint_id: endpoint, porting_order_id: order } = filter;
  if (accountId !== undefined) return accountId;
  if (endpoint === undefined && order === undefined) return null;
  const [row] = await queryRows<{ account_id: string }>(db, {
    text: ACCOUNT_OF,
    values: [endpoint ?? null, order ?? null],
  });
  return row?.account_id ?? null;
}

/** Deliveries of all accounts in a range of ids that match every given filter, in scan order. */
export async function listDeskDeliveries(
  db: Queryable,
  list: DeskDeliveryList,
): Promise<PageRows<DeskDelivery>> {
  const accountId = await accountOf(db, list);
  const { range, filter } = list;
  const { rows, hasMore } = await listDeliveries(db, { accountId, range, filter });
  return { rows: await withAccounts(db, rows), hasMore };
}

export async function countDeskDeliveries(db: Queryable, list: DeskDeliveryList): Promise<Total> {
  const accountId = await accountOf(db, list);
  return countDeliveries(db, { ...list, accountId });
}

/** A delivery of any account. @throws `not_found` */
export async function findDeskDelivery(db: Queryable, id: string): Promise<DeskDelivery> {
  const found = await withAccounts(db, [await findDelivery(db, null, id)]);
  const [delivery] = found;
  if (delivery === undefined) throw new TypeError("A delivery's account is not there.");
  return delivery;
}

const ACCOUNTS = `select d.id, a.id as account_id, a.name
  from unnest($1::uuid[]) u (id)
  join webhooks.deliveries d on d.id = u.id and d.created_at = messaging.time_of(u.id)
  join accounts.accounts a on a.id = d.account_id`;

async function withAccounts(
  db: Queryable,
  deliveries: readonly Delivery[],
): Promise<DeskDelivery[]> {
  if (deliveries.length === 0) return [];
  const rows = await queryRows<{ id: string; account_id: string; name: string }>(db, {
    name: "desk-delivery-accounts",
    text: ACCOUNTS,
    values: [deliveries.map(({ id }) => id)],
  });
  const accounts = new Map(rows.map((one) => [one.id, { id: one.account_id, name: one.name }]));
  return deliveries.flatMap((one) => {
    const account = accounts.get(one.id);
    return account === undefined ? [] : [{ ...one, account }];
  });
}

/** A webhook endpoint as the desk sees it; the secret is not among its columns. */
interface DeskEndpoint {
  readonly id: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly url: string;
  readonly description: string | null;
  readonly enabled_events: readonly EventType[];
  readonly max_per_second: number | null;
  readonly status: "ok" | "failing" | "paused";
  readonly active: boolean;
  readonly paused_by: "customer" | "system" | null;
  readonly paused_reason: string | null;
  readonly failing_since: Date | null;
  readonly consecutive_failures: number;
  readonly last_success_at: Date | null;
  readonly last_failure_at: Date | null;
  readonly oldest_undelivered: Stamped | null;
  readonly last_error: LoggedError | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

interface Stamped {
  readonly delivery_id: string;
  readonly created_at: string;
}

interface LoggedError {
  readonly delivery_id: string;
  readonly at: string;
  readonly response_code: number | null;
  readonly code: string;
  readonly message: string;
}

/** It fails while it is sent to, or it failed until the system paused it. */
const IS_FAILING = `(e.active and coalesce(h.consecutive_failures, 0) > 0 or e.paused_by is not distinct from 'system')`;

const MOST_COUNTED = 1_000;

/** Endpoints that are sent to, and fail. */
export async function countFailingEndpoints(db: Queryable): Promise<number> {
  const [row] = await queryRows<{ failing: number }>(db, {
    name: "desk-failing-endpoints",
    text: `select count(*)::int as failing from (
        select from webhooks.endpoint_health h join webhooks.endpoints e on e.id = h.endpoint_id
        where e.active and h.consecutive_failures > 0 limit ${MOST_COUNTED}
      ) failing`,
  });
  return row?.failing ?? 0;
}

/** Waiting deliveries are looked at up to this many an endpoint, those that are due longest. */
const MOST_WAITING = 1_000;

/**
 * The page's endpoints first, then for each a few look-ups by index: a great backlog must not be made worse by looking
 * at it.
 */
function select(page: string): string {
  return `with page as materialized (${page})
    select e.id, json_build_object('id', a.id, 'name', a.name) as account, e.url, e.description,
      e.enabled_events, e.max_per_second,
      case when not e.active then 'paused' when h.consecutive_failures > 0 then 'failing' else 'ok' end as status,
      e.active, e.paused_by, e.paused_reason, h.failing_since,
      coalesce(h.consecutive_failures, 0) as consecutive_failures, h.last_success_at, h.last_failure_at,
      case when w.oldest is not null then json_build_object('delivery_id', w.oldest,
        'created_at', messaging.time_of(w.oldest)) end as oldest_undelivered,
      l.error as last_error, e.created_at, e.updated_at
    from page join webhooks.endpoints e on e.id = page.id
    join accounts.accounts a on a.id = e.account_id
    left join webhooks.endpoint_health h on h.endpoint_id = e.id
    left join lateral (
      select (array_agg(s.id order by s.id))[1] as oldest,
        (array_agg(s.id order by s.id desc) filter (where s.attempt_count > 0))[1] as tried
      from (
        select d.id, d.attempt_count from webhooks.deliveries d
        where d.endpoint_key = e.id and ${isWaiting("d")}
        order by d.priority desc, d.next_attempt_at limit ${MOST_WAITING}
      ) s
    ) w on true
    left join lateral (
      select d.id from webhooks.deliveries d
      where d.account_id = e.account_id and d.endpoint_id = e.id and ${hasStatus("d", statusesThatEnd("given_up"))}
      order by d.id desc limit 1
    ) f on true
    left join lateral (
      select json_build_object('delivery_id', d.id, 'at', t.entry ->> 'started_at',
          'response_code', t.entry -> 'response_code', 'code', t.entry -> 'error' ->> 'code',
          'message', t.entry -> 'error' ->> 'message') as error
      from unnest(array[w.tried, f.id]) u (id)
      join webhooks.deliveries d on d.id = u.id and d.created_at = messaging.time_of(u.id)
      cross join lateral jsonb_array_elements(d.attempt_log) t (entry)
      where t.entry -> 'error' <> 'null'::jsonb
      order by t.entry ->> 'started_at' desc limit 1
    ) l on true`;
}

export interface DeskEndpointFilter {
  readonly account_id?: string | undefined;
  readonly failing?: boolean | undefined;
}

const CONDITIONS = {
  account_id: (at: string) => `e.account_id = ${at}`,
  failing: (at: string) => `${IS_FAILING} = ${at}::boolean`,
} as const satisfies FilterConditions<DeskEndpointFilter>;

interface DeskEndpointList {
  readonly range: IdRange;
  readonly filter: DeskEndpointFilter;
}

function pageOf({ range, filter }: DeskEndpointList): PageStatement {
  const { values, bind } = boundValues(range.above, range.below, range.fetch);
  const conditions = conditionsOf<DeskEndpointFilter>(CONDITIONS, filter, bind);
  const rows = `select e.id from webhooks.endpoints e
    left join webhooks.endpoint_health h on h.endpoint_id = e.id
    where ${["e.deleted_at is null", "e.id > $1", "e.id < $2", ...conditions].join(" and ")}`;
  return { rows, order: `e.id ${range.direction}`, limit: "$3", values };
}

/** Endpoints of all accounts in a range of ids that match every given filter, in scan order. */
export async function listDeskEndpoints(
  db: Queryable,
  list: DeskEndpointList,
): Promise<DeskEndpoint[]> {
  const page = pageOf(list);
  const { values } = page;
  const text = `${select(pageText(page))} order by e.id ${list.range.direction}`;
  return (await queryRows<DeskEndpoint>(db, { text, values })).map(withInstants);
}

export async function countDeskEndpoints(db: Queryable, list: DeskEndpointList): Promise<Total> {
  return countRows(db, pageOf(list));
}

/** An endpoint of any account that is not deleted. @throws `not_found` */
export async function findDeskEndpoint(db: Queryable, id: string): Promise<DeskEndpoint> {
  const [row] = await queryRows<DeskEndpoint>(db, {
    name: "desk-endpoint-find",
    text: select("select e.id from webhooks.endpoints e where e.id = $1 and e.deleted_at is null"),
    values: [id],
  });
  if (row === undefined) throw new AppError("not_found", "There is no such webhook endpoint.");
  return withInstants(row);
}

/** Postgres writes instants in JSON with microseconds and an offset. */
function withInstants(endpoint: DeskEndpoint): DeskEndpoint {
  const { oldest_undelivered: oldest } = endpoint;
  if (oldest === null) return endpoint;
  const created_at = new Date(oldest.created_at).toISOString();
  return { ...endpoint, oldest_undelivered: { ...oldest, created_at } };
}
