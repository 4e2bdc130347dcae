import { conditionsOf, type FilterConditions } from "../../../platform/db/filter-conditions.ts";
import { EVENT_TYPES, type EventType } from "../../../messages/events.ts";
import { countRows, type Total } from "../../../platform/db/count-rows.ts";
import { boundValues, type BoundValues } from "../../../platform/db/recordset.ts";
import {
  cutPageById,
  instantOf,
  rowsOfPage,
  type CutRow,
  type IdRange,
} from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import type { PageRows } from "../../../platform/http/paging.ts";
import {
  attemptError,
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryStatus,
} from "../rules/delivery.ts";

const ERROR = JSON.stringify(attemptError("interrupted")).replaceAll("'", "''");
const OMITTED = `'{"response_body": null, "body_omitted": true}'::jsonb`;
/** Bodies of answers are kept of the first attempt and of so many last ones. */
const LAST_BODIES = 10;

/** SQL: a log with one more entry, without the body of the one that is no longer among the last. */
export function withEntry(log: string, entry: string): string {
  const at = `jsonb_array_length(${log}) - ${LAST_BODIES}`;
  return `case when ${at} < 1 then ${log} || ${entry}
        else jsonb_set(${log}, array[(${at})::text], (${log} -> (${at})) || ${OMITTED}) || ${entry} end`;
}

/** SQL: a log as lists show it, without the bodies of answers. */
export function withoutBodies(log: string): string {
  return `(select coalesce(jsonb_agg(case when coalesce(e.entry ->> 'response_body', '') = '' then e.entry
          else e.entry || ${OMITTED} end order by e.nth), '[]'::jsonb)
        from jsonb_array_elements(${log}) with ordinality e (entry, nth))`;
}

/**
 * SQL for the attempt log of the delivery with this alias, including an interrupted attempt: one whose lease ended
 * without a result.
 */
export function loggedInterruption(delivery: string): string {
  const d = delivery;
  const entry = `jsonb_build_object(
          'attempt', ${d}.attempt_count,
          'started_at', to_char(${d}.claimed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'duration_ms', round(extract(epoch from ${d}.lease_until - ${d}.claimed_at) * 1000),
          'response_code', null, 'error', '${ERROR}'::jsonb, 'response_body', null)`;
  return `case when ${d}.lease_until is null then ${d}.attempt_log
        else ${withEntry(`${d}.attempt_log`, entry)} end`;
}

/** The columns of a delivery `d` with its body; `attempts` is the SQL of its attempt log. */
const deliveryColumns = (
  attempts: string,
): string => `d.id, d.event_id, d.event_type, d.endpoint_id as webhook_endpoint_id, d.url,
  d.order_id as porting_order_id, d.status, d.trigger,
  d.attempt_count - (d.lease_until is not null)::integer as attempt_count, d.lease_until is not null as attempting,
  case when d.lease_until is null then d.next_attempt_at end as next_attempt_at,
  d.created_at, d.completed_at, ${attempts} as attempt_log,
  coalesce(d.test_body, l.body) as body`;

const WHOLE = deliveryColumns("d.attempt_log");

/** Both tables are partitioned by time, so ids are always joined together with their times. */
const DELIVERY_BODY = "left join events.log l on l.id = d.event_id and l.created_at = d.event_at";

type DeliveryRow = Omit<Delivery, "payload"> & { readonly body: Buffer | null };

function toDelivery(row: DeliveryRow): Delivery {
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

/** How far clocks may differ: ids of orders and events come from processes, those of deliveries from the database. */
const MAX_CLOCK_SKEW_MS = 86_400_000;

export interface DeliveryFilter {
  readonly status?: readonly DeliveryStatus[] | undefined;
  readonly event_type?: readonly EventType[] | undefined;
  readonly webhook_endpoint_id?: string | undefined;
  readonly porting_order_id?: string | undefined;
  readonly event_id?: string | undefined;
  /** What the last attempt got, of deliveries that have not succeeded. */
  readonly failure_code?: string | undefined;
}

interface DeliveryList {
  /** Null for the deliveries of all accounts. */
  readonly accountId: string | null;
  readonly range: IdRange;
  readonly filter: DeliveryFilter;
}

/** The log of attempts, without bodies, takes some 300 bytes each. */
const BYTES = "(coalesce(octet_length(p.body), 0) + 300 * jsonb_array_length(p.attempt_log))";

/** Deliveries in a range of ids that match every given filter, in scan order, without the bodies of answers. */
export async function listDeliveries(
  db: Queryable,
  list: DeliveryList,
): Promise<PageRows<Delivery>> {
  const { direction, fetch } = list.range;
  const { values, bind } = boundValues();
  const page = `select ${LISTED} from (${pageOf(list, bind)}) d ${DELIVERY_BODY}`;
  const rows = await queryRows<DeliveryRow & CutRow>(db, {
    text: cutPageById(page, direction, BYTES),
    values,
  });
  const kept = rowsOfPage(rows, fetch);
  return { ...kept, rows: kept.rows.map(toDelivery) };
}

/** How many there are in a range that `countedRange` gives. */
export async function countDeliveries(db: Queryable, list: DeliveryList): Promise<Total> {
  const { values, bind } = boundValues();
  const rows = scanOf("d.id", list, bind);
  return countRows(db, { rows: `select from (${rows}) d`, limit: bind(list.range.fetch), values });
}

const LISTED = deliveryColumns(withoutBodies("d.attempt_log"));

type Bind = BoundValues["bind"];

/**
 * The rows of a page. With an endpoint and a type, the ids are found in the endpoint's index, which includes the type:
 * for a rare type nearly all deliveries of the endpoint are scanned.
 */
function pageOf(list: DeliveryList, bind: Bind): string {
  const { status, event_type: type, webhook_endpoint_id: endpoint } = list.filter;
  return endpoint === undefined || type === undefined || status !== undefined
    ? scanOf("d.*", list, bind)
    : `select d.* from (${scanOf("d.id", list, bind)}) page
        join webhooks.deliveries d on d.id = page.id and d.created_at = messaging.time_of(page.id)`;
}

/**
 * Each of several values is scanned separately in index order and the pages are merged: a single scan would read and
 * sort every row with any of the values, or all rows to find a rare one.
 */
function scanOf(columns: string, list: DeliveryList, bind: Bind): string {
  const { accountId, range, filter } = list;
  const order = `order by d.id ${range.direction} limit ${bind(range.fetch)}`;
  const common = [
    ...(accountId === null ? [] : [`d.account_id = ${bind(accountId)}`]),
    `d.id > ${bind(range.above)} and d.id < ${bind(range.below)}`,
    ...withinMonths(range, filter, bind),
    ...conditionsOf<Omit<DeliveryFilter, ChoiceFilter>>(OF_ONE_VALUE, filter, bind),
  ];
  const branches = choicesOf(filter, bind).map(
    (choice) =>
      `(select ${columns} from webhooks.deliveries d where ${[...common, ...choice].join(" and ")} ${order})`,
  );
  const [only] = branches;
  return branches.length === 1 && only !== undefined
    ? only
    : `select ${columns} from (${branches.join(" union all ")}) d ${order}`;
}

type ChoiceFilter = "status" | "event_type";

/** As the indexes of failures have it (migration 0213). */
const LAST_CODE = `coalesce(d.attempt_log -> -1 ->> 'response_code', d.attempt_log -> -1 -> 'error' ->> 'code')`;
const HAS_FAILED = "d.status in ('retrying', 'failed', 'skipped', 'cancelled')";

const OF_ONE_VALUE = {
  webhook_endpoint_id: (at: string) => `d.endpoint_id = ${at}`,
  porting_order_id: (at: string) => `d.order_id = ${at}`,
  event_id: (at: string) => `d.event_id = ${at}`,
  failure_code: (at: string) => `${LAST_CODE} = ${at} and ${HAS_FAILED}`,
} as const satisfies FilterConditions<Omit<DeliveryFilter, ChoiceFilter>>;

/** Bounds on the partitioning time that follow from the other conditions, so that few partitions are read. */
function withinMonths(range: IdRange, filter: DeliveryFilter, bind: Bind): string[] {
  const { porting_order_id: order, event_id: event } = filter;
  const earliest = Math.max(
    instantOf(range.above),
    event === undefined ? 0 : instantOf(event) - MAX_CLOCK_SKEW_MS,
    order === undefined ? 0 : instantOf(order) - MAX_CLOCK_SKEW_MS,
  );
  return [
    `d.created_at >= ${bind(new Date(earliest))}`,
    `d.created_at <= ${bind(new Date(instantOf(range.below)))}`,
  ];
}

/** The conditions of each scan: one per status, or one per type if no status is given. */
function choicesOf(filter: DeliveryFilter, bind: Bind): string[][] {
  const statuses = wanted(filter.status, DELIVERY_STATUSES);
  const types = wanted(filter.event_type, EVENT_TYPES);
  const byType = types?.map((type) => `d.event_type = ${bind(type)}`);
  if (statuses === null) return byType === undefined ? [[]] : byType.map((type) => [type]);
  const ofType = byType === undefined ? [] : [`(${byType.join(" or ")})`];
  return statuses.map((status) => [`d.status = ${bind(status)}`, ...ofType]);
}

/** The distinct values of a filter; null if it is absent or includes every value. */
function wanted<T>(given: readonly T[] | undefined, all: readonly T[]): readonly T[] | null {
  const values = [...new Set(given)];
  return given === undefined || values.length === all.length ? null : values;
}
