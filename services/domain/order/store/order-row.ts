import { LRUCache } from "lru-cache";
import type { ColumnType } from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { inSlices } from "../../../platform/in-slices.ts";
import {
  asMandatoryNow,
  untouched,
  type AskedRequirement,
} from "../../requirement/rules/catalogue.ts";
import { emptyNumberValue, valueKey, withValues } from "../../requirement/rules/number-values.ts";
import type { OrderRequirement } from "../../requirement/rules/requirement.ts";
import type { Order, OrderNumber } from "../rules/order.ts";

type Added = "scope" | "unless";
type StoredItem = Omit<AskedRequirement, Added> & Partial<Pick<AskedRequirement, Added>>;

/** What profiles say that were stored before the catalogue had more to say. */
const OF_BEFORE = { scope: "order", unless: null } as const satisfies Pick<AskedRequirement, Added>;

type RequirementProfiles = ReadonlyMap<string, readonly AskedRequirement[]>;

/** A profile's id is the digest of its content, so that what was read once is valid for ever. */
const KNOWN = new LRUCache<string, readonly AskedRequirement[]>({ max: 1_000 });

/** What the profiles with these ids ask for, by id; those that were read before cost no statement. */
async function readProfiles(db: Queryable, ids: ReadonlySet<string>): Promise<RequirementProfiles> {
  const profiles = new Map<string, readonly AskedRequirement[]>();
  const unknown: string[] = [];
  for (const id of ids) {
    const known = KNOWN.get(id);
    if (known === undefined) unknown.push(id);
    else profiles.set(id, known);
  }
  if (unknown.length === 0) return profiles;
  const rows = await queryRows<{ id: string; items: StoredItem[] }>(db, {
    name: "requirement-profiles",
    text: "select id, items from orders.requirement_profiles where id = any ($1::uuid[])",
    values: [unknown],
  });
  for (const { id, items: stored } of rows) {
    const items = stored.map((item) => ({ ...OF_BEFORE, ...item }));
    KNOWN.set(id, items);
    profiles.set(id, items);
  }
  return profiles;
}

type Own = Exclude<keyof Order, "numbers" | "requirements">;
type Fixed =
  | "id"
  | "account_id"
  | "batch_id"
  | "provider"
  | "country_code"
  | "number_type"
  | "losing_carrier"
  | "created_at";

/** The columns of orders.porting_orders that stay as the order was created. */
export const FIXED_COLUMNS = {
  id: "uuid",
  account_id: "uuid",
  batch_id: "uuid",
  provider: "text",
  country_code: "text",
  number_type: "text",
  losing_carrier: "text",
  created_at: "timestamptz",
} as const satisfies Record<Fixed, ColumnType>;

/** The columns that a decision can change: the compiler asks for each field of an order. */
export const DECIDED_COLUMNS = {
  status: "text",
  closed_by: "text",
  closed_reason: "jsonb",
  provider_status: "text",
  provider_status_at: "timestamptz",
  customer_reference: "text",
  webhook_url: "text",
  requirements_status: "boolean",
  foc_requested: "text",
  foc_actual: "text",
  foc_said_at: "timestamptz",
  request_version: "integer",
  review_attempt: "integer",
  exceptions: "jsonb",
  event_sequence: "integer",
  updated_at: "timestamptz",
  submitted_at: "timestamptz",
  closed_at: "timestamptz",
  deleted_at: "timestamptz",
  cancel: "jsonb",
  attention: "jsonb",
  changes: "jsonb",
} as const satisfies Record<Exclude<Own, Fixed>, ColumnType>;

type TouchedRow = Omit<
  OrderRequirement,
  Exclude<keyof AskedRequirement, "slug"> | "document_date" | "values"
> & {
  readonly document_date: string | null;
};

/** A row of orders.porting_orders with its numbers and requirements aggregated as JSON. */
export type OrderRow = Omit<Order, "numbers" | "requirements"> & {
  readonly requirement_profile_id: string;
  /** Present in lists for the desk, which read the first number alone, and no values of numbers. */
  readonly numbers_count?: number;
  /** The requirements and the values of numbers that have been written to, by key, in no particular order. */
  readonly touched: readonly TouchedRow[];
  readonly numbers: readonly {
    readonly phone_number: string;
    readonly status: OrderNumber["status"];
    readonly failure_code: string | null;
    readonly activated_at: string | null;
  }[];
};

const OWN_COLUMNS = Object.keys({ ...FIXED_COLUMNS, ...DECIDED_COLUMNS })
  .map((name) => `o.${name}`)
  .join(", ");

const NUMBER = `json_build_object('phone_number', n.phone_number, 'status', n.status,
      'failure_code', n.failure_code, 'activated_at', n.activated_at)`;
const NUMBERS = `(select json_agg(${NUMBER} order by n.position)
    from orders.order_numbers n where n.order_id = o.id)`;
const FIRST_NUMBER = `(select json_build_array(${NUMBER})
    from orders.order_numbers n where n.order_id = o.id order by n.position limit 1)`;

const TOUCHED = `o.requirement_profile_id,
  (select coalesce(json_agg(json_build_object('slug', r.slug, 'status', r.status, 'exception_reason', r.exception_reason,
      'has_value', coalesce(r.value, r.masked_value, r.document_id::text) is not null,
      'shown_value', coalesce(r.value, r.masked_value, r.document_id::text),
      'document_id', r.document_id, 'document_date', r.document_date,
      'check_state', r.check_state, 'check_code', r.check_code, 'check_detail', r.check_detail, 'changed', r.changed)),
      '[]') from orders.requirements r where r.order_id = o.id`;
const REQUIREMENTS = `${TOUCHED}) as touched`;
const REQUIREMENTS_ALONE = `${TOUCHED} and strpos(r.slug, '+') = 0) as touched`;

/** The columns of an `OrderRow`, from a table with the alias `o`. */
export const ORDER_COLUMNS = `${OWN_COLUMNS}, ${NUMBERS} as numbers, ${REQUIREMENTS}`;

/** The same with the first number alone: a list of orders must not read thousands. */
export const LISTED_ORDER_COLUMNS = `${OWN_COLUMNS}, ${FIRST_NUMBER} as numbers,
  (select count(*) from orders.order_numbers n where n.order_id = o.id)::integer as numbers_count, ${REQUIREMENTS_ALONE}`;

/** Other requests have their turn after so many orders of a list. */
const SLICE = 4;

/** The orders of rows, one by one, with what their profiles ask for. */
export async function toOrders(db: Queryable, rows: readonly OrderRow[]): Promise<Order[]> {
  const profiles = await readProfiles(db, new Set(rows.map((row) => row.requirement_profile_id)));
  return inSlices(rows, SLICE, (row) => toOrder(row, profiles));
}

/** The order of the only row that was looked for; null if there is none. */
export async function toOneOrder(db: Queryable, rows: readonly OrderRow[]): Promise<Order | null> {
  const [order = null] = await toOrders(db, rows);
  return order;
}

function toOrder(row: OrderRow, profiles: RequirementProfiles): Order {
  const { requirement_profile_id: profileId, touched, ...own } = row;
  const numbers = row.numbers.map((number) => ({
    ...number,
    activated_at: dateOf(number.activated_at),
  }));
  const asked = profiles.get(profileId);
  // Without it the order would ask for nothing, and could be submitted as it is.
  if (asked === undefined) throw new Error(`The requirement profile ${profileId} is not stored.`);
  return { ...own, numbers, requirements: requirementsOf(asked, touched, own) };
}

type ReadOrder = Pick<OrderRow, "numbers" | "numbers_count" | "requirements_status">;

function requirementsOf(
  asked: readonly AskedRequirement[],
  touched: readonly TouchedRow[],
  order: ReadOrder,
): OrderRequirement[] {
  const written = new Map(touched.map((one) => [one.slug, one]));
  const requirements = asked.map((one) => {
    const requirement = untouched(one);
    const own = written.get(one.slug);
    if (own !== undefined) {
      Object.assign(requirement, own, { document_date: dateOf(own.document_date) });
    }
    return one.scope === "order" ? requirement : ofNumbers(requirement, written, order);
  });
  return asMandatoryNow(requirements);
}

function ofNumbers(
  requirement: OrderRequirement,
  written: ReadonlyMap<string, TouchedRow>,
  { numbers, numbers_count: count, requirements_status: areMet }: ReadOrder,
): OrderRequirement {
  // Of a list, whose rows have no values: whether all are given matters where nothing else is left.
  if (count !== undefined) return { ...requirement, has_value: areMet };
  const values = numbers.map(({ phone_number: number }) => {
    const own = written.get(valueKey(requirement.slug, number));
    if (own === undefined) return emptyNumberValue(number);
    const { status, exception_reason, shown_value } = own;
    return { phone_number: number, status, exception_reason, shown_value };
  });
  return withValues(requirement, values);
}

function dateOf(at: string | null): Date | null {
  return at === null ? null : new Date(at);
}

/** The condition that an order is from the carrier of a parameter, in any case; its indexes are of the same expression. */
export function carrierIs(at: string): string {
  return `lower(btrim(o.losing_carrier)) = lower(btrim(${at}))`;
}
