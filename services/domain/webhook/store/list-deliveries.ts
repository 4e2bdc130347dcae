import { EVENT_TYPES, type EventType } from "../../../messages/events.ts";
import { boundValues, type BoundValues } from "../../../platform/db/bound-values.ts";
import { cutPageById, rowsOfPage, type CutRow } from "../../../platform/db/cut-page.ts";
import { instantOf, type IdRange } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { PageRows } from "../../../platform/http/paging/paging.ts";
import { DELIVERY_STATUSES, type Delivery, type DeliveryStatus } from "../rules/delivery.ts";
import { withoutBodies } from "./attempt-log.ts";
import { DELIVERY_BODY, deliveryColumns, toDelivery, type DeliveryRow } from "./deliveries.ts";

/** How far clocks may differ: ids of orders and events come from processes, those of deliveries from the database. */
const MAX_CLOCK_SKEW_MS = 86_400_000;

export interface DeliveryFilter {
  readonly status?: readonly DeliveryStatus[] | undefined;
  readonly event_type?: readonly EventType[] | undefined;
  readonly webhook_endpoint_id?: string | undefined;
  readonly porting_order_id?: string | undefined;
  readonly event_id?: string | undefined;
}

export interface DeliveryList {
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
    ...ofOneValue(filter, bind),
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

function ofOneValue(filter: DeliveryFilter, bind: Bind): string[] {
  const { webhook_endpoint_id: endpoint, porting_order_id: order, event_id: event } = filter;
  return [
    ...(endpoint === undefined ? [] : [`d.endpoint_id = ${bind(endpoint)}`]),
    ...(order === undefined ? [] : [`d.order_id = ${bind(order)}`]),
    ...(event === undefined ? [] : [`d.event_id = ${bind(event)}`]),
  ];
}

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
