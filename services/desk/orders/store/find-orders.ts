import type { FilterConditions } from "../../../platform/db/filter-conditions.ts";
import type { Comment } from "../../../domain/order/rules/effects.ts";
import type { CommentList } from "../../../domain/order/store/comments.ts";
import type { Order, OrderStatus } from "../../../domain/order/rules/order.ts";
import {
  carrierIs,
  LISTED_ORDER_COLUMNS,
  ORDER_COLUMNS,
  toOneOrder,
  toOrders,
  type OrderRow,
} from "../../../domain/order/store/order-row.ts";
import { unknownOrder } from "../../../domain/order/store/read-order.ts";
import { countRows, type Total } from "../../../platform/db/count-rows.ts";
import {
  cutPageById,
  pageByKey,
  rowsOfPage,
  type CutRow,
  type IdRange,
  type KeyOrder,
} from "../../../platform/db/id-range.ts";
import { boundValues, type BoundValues } from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { PageRows } from "../../../platform/http/paging.ts";
import { ORDER_OF_LETTER } from "../../dead-letters/store.ts";
import { hasDuplicate, ONE_DUPLICATE } from "./duplicates.ts";
import type { ListedOrder } from "../show-orders.ts";

const NUMBER_FORM = /^(?:tel:)?[+\d\s().\-/\u2010-\u2015]+$/i;
/** Fewer digits are at the end of too many numbers. */
const MIN_DIGITS = 4;
/** A national number without its trunk prefix is at least this long. */
const MIN_NATIONAL = 7;
const TRUNK_IN_BRACKETS = /\(0\)/g;
/** A trunk prefix, or what is dialled before a country code: 0, 00, and 011 in North America. */
const DIALLED_FIRST = /^(?:011|0+)/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a search can mean. */
interface SearchTerm {
  /** The term itself: a reference, or part of an account's name. */
  readonly text: string;
  /** The term as an id. */
  readonly id: string | null;
  /** Digits with which a number can end: those that were given, and without what is dialled first. */
  readonly lastDigits: readonly string[];
}

/** Reads a search: a number in any form or its last digits, a reference, an id, or an account. */
export function readSearchTerm(given: string): SearchTerm {
  const text = given.trim();
  return {
    text,
    id: UUID.test(text) ? text.toLowerCase() : null,
    lastDigits: NUMBER_FORM.test(text) ? endingsOf(text) : [],
  };
}

function endingsOf(text: string): string[] {
  const digits = text.replace(TRUNK_IN_BRACKETS, "").replace(/\D/g, "");
  const national = digits.replace(DIALLED_FIRST, "");
  const endings = national.length >= MIN_NATIONAL ? [digits, national] : [digits];
  return [...new Set(endings)].filter(({ length }) => length >= MIN_DIGITS && length <= 15);
}

export interface DeskOrderFilter {
  readonly id?: string | undefined;
  readonly account_id?: string | undefined;
  readonly batch_id?: string | undefined;
  readonly status?: readonly OrderStatus[] | undefined;
  readonly provider?: string | undefined;
  readonly losing_carrier?: string | undefined;
  readonly country_code?: string | undefined;
  readonly customer_reference?: string | undefined;
  readonly phone_number?: string | undefined;
  readonly attention?: boolean | undefined;
  readonly foc_after?: Date | undefined;
  readonly foc_before?: Date | undefined;
  readonly search?: SearchTerm | undefined;
}

type Bind = BoundValues["bind"];

const LETTER_OF_ORDER = `exists (select from messaging.dead_letters d
  where ${ORDER_OF_LETTER} = o.id and d.state = 'parked')`;
const overdueReview = (now: string) => `exists (select from reviews.cases c
  where c.order_id = o.id and c.state = 'open' and c.due_at < ${now})`;
const WAITING_COMMENT = "exists (select from orders.waiting_comments w where w.order_id = o.id)";
/** Of orders with an open case: later it is the carriers' to sort out. */
const DUPLICATE = `(exists (select from reviews.cases c where c.order_id = o.id and c.state = 'open')
  and ${hasDuplicate("o")})`;

/** Only given filters go into the statement, so that each can use its own index; attention and search have alternatives. */
const CONDITIONS = {
  id: (at) => `o.id = ${at}`,
  account_id: (at) => `o.account_id = ${at}`,
  batch_id: (at) => `o.batch_id = ${at}`,
  status: (at) => `o.status = any (${at}::text[])`,
  provider: (at) => `o.provider = ${at}`,
  losing_carrier: carrierIs,
  country_code: (at) => `o.country_code = ${at}`,
  // The index is of references in lower case; the search uses it too.
  customer_reference: (at) => `${referenceIs(at)} and o.customer_reference = ${at}`,
  phone_number: (at) =>
    `o.id = any (array(select order_id from orders.order_numbers where phone_number = ${at}))`,
  foc_after: (at) =>
    `o.foc_actual is not null and orders.instant_of(o.foc_actual) >= ${at}::timestamptz`,
  foc_before: (at) =>
    `o.foc_actual is not null and orders.instant_of(o.foc_actual) < ${at}::timestamptz`,
} as const satisfies FilterConditions<Omit<DeskOrderFilter, "attention" | "search">>;

const SIMPLE = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];

function referenceIs(at: string): string {
  return `o.customer_reference <> '' and lower(o.customer_reference) = lower(${at})`;
}

/** The condition that a number ends in the digits at a parameter, by the index of numbers in reverse. */
export function endsIn(at: string): string {
  return `reverse(phone_number) like reverse(${at}) || '%'`;
}

/** One way to find orders, by an index of its own. */
interface Driver {
  /** A join that yields rows `o`; the orders themselves unless given. */
  readonly from?: string;
  /** Find orders account by account, of the accounts `a` that meet this. */
  readonly accounts?: string;
  readonly where: readonly string[];
}

interface FilterPlan {
  /** Conditions of every driver. */
  readonly common: readonly string[];
  /** Their orders together are the list: each is scanned by its own index, in order of id, for one page. */
  readonly drivers: readonly Driver[];
}

/** Splits a filter into conditions and the alternatives that each need an index of their own. */
function planFilter(filter: DeskOrderFilter, bind: Bind, now: Date): FilterPlan {
  const { status, search, attention } = filter;
  const common = SIMPLE.flatMap((name) => {
    const value = filter[name];
    const isDriver = name === "status" && search === undefined && attention !== true;
    return value === undefined || isDriver ? [] : [CONDITIONS[name](bind(value))];
  });
  if (attention === false) {
    const at = bind(now);
    const reasons = [LETTER_OF_ORDER, overdueReview(at), WAITING_COMMENT, DUPLICATE];
    common.push("o.attention is null", ...reasons.map((reason) => `not ${reason}`));
  }
  if (search !== undefined) {
    if (attention === true) {
      const reasons = [LETTER_OF_ORDER, overdueReview(bind(now)), WAITING_COMMENT, DUPLICATE];
      common.push(`(o.attention is not null or ${reasons.join(" or ")})`);
    }
    return { common, drivers: searchDrivers(search, bind) };
  }
  if (attention === true) return { common, drivers: attentionDrivers(bind(now)) };
  const statuses = status === undefined ? [] : [...new Set(status)];
  const drivers = statuses.map((one) => ({ where: [`o.status = ${bind(one)}`] }));
  return { common, drivers: drivers.length === 0 ? [{ where: [] }] : drivers };
}

function searchDrivers({ text, id, lastDigits }: SearchTerm, bind: Bind): Driver[] {
  const given = bind(text);
  const matching: Driver[] = [
    { where: [referenceIs(given)] },
    { accounts: `strpos(lower(a.name), lower(${given})) > 0`, where: ["o.account_id = a.id"] },
  ];
  if (id !== null) {
    const at = bind(id);
    matching.push({ where: [`o.id = ${at}`] }, { where: [`o.account_id = ${at}`] });
  }
  if (lastDigits.length > 0) {
    const ends = lastDigits.map((digits) => endsIn(bind(digits)));
    const numbers = `select order_id from orders.order_numbers where ${ends.join(" or ")}`;
    matching.push({ where: [`o.id = any (array(${numbers}))`] });
  }
  return matching;
}

function attentionDrivers(now: string): Driver[] {
  const letters = `select ${ORDER_OF_LETTER} from messaging.dead_letters d
    where d.state = 'parked' and ${ORDER_OF_LETTER} is not null`;
  return [
    { where: ["o.attention is not null"] },
    { where: [`o.id = any (array(${letters}))`] },
    {
      from: "reviews.cases c join orders.porting_orders o on o.id = c.order_id",
      where: ["c.state = 'open'", `c.due_at < ${now}`],
    },
    { where: ["o.id = any (array(select order_id from orders.waiting_comments))"] },
    {
      from: "reviews.cases c join orders.porting_orders o on o.id = c.order_id",
      where: ["c.state = 'open'", hasDuplicate("o")],
    },
  ];
}

interface DeskOrderList {
  readonly range: IdRange;
  readonly filter: DeskOrderFilter;
  readonly now: Date;
  /** By their FOC dates, of those that have one; by id unless given. */
  readonly byFoc?: KeyOrder | undefined;
}

const BY_FOC = {
  table: "orders.porting_orders",
  alias: "o",
  key: (row: string) => `orders.instant_of(${row}.foc_actual)`,
};

type ListedRow = OrderRow & { readonly numbers_count: number };

const ORDERS = "orders.porting_orders o";

/** Orders of all accounts in a range of ids that match every given filter, in scan order, with their first numbers. */
export async function listAnyOrders(db: Queryable, list: DeskOrderList): Promise<ListedOrder[]> {
  const { text, values } = findOrders(list);
  const rows = await queryRows<ListedRow>(db, {
    text: `with found as materialized (${text})
      select ${LISTED_ORDER_COLUMNS} from found join ${ORDERS} on o.id = found.id
      order by ${orderOf(list)}`,
    values,
  });
  const orders = await toOrders(db, rows);
  return orders.map((order, n) => ({ ...order, numbers_count: rows[n]?.numbers_count ?? 0 }));
}

/** How many match, of those that have a FOC date where the list is in its order. */
export async function countAnyOrders(db: Queryable, list: DeskOrderList): Promise<Total> {
  const { text, values } = statementOf(list, "");
  return countRows(db, { rows: `select from (${text}) o`, limit: "$3", values });
}

/** SQL of the order of rows `o`. */
function orderOf({ range, byFoc }: DeskOrderList): string {
  const { direction } = byFoc ?? range;
  return `${byFoc === undefined ? "" : `${BY_FOC.key("o")} ${direction}, `}o.id ${direction}`;
}

/** The statement that finds a page's ids. */
export function findOrders(list: DeskOrderList) {
  return statementOf(list, `order by ${orderOf(list)}`);
}

function statementOf({ range, filter, now, byFoc }: DeskOrderList, order: string) {
  const { values, bind } = boundValues(range.above, range.below, range.fetch);
  const { common, drivers } = planFilter(filter, bind, now);
  const inRange = ["o.deleted_at is null", "o.id > $1", "o.id < $2", ...common];
  if (byFoc !== undefined) {
    inRange.push("o.foc_actual is not null", ...pageByKey(BY_FOC, byFoc, bind).beyond);
  }
  const columns = byFoc === undefined ? "o.id" : "o.id, o.foc_actual";
  const page = { inRange, columns, end: `${order} limit $3` };
  const branches = drivers.map((driver) => branchOf(driver, page));
  const [only = ""] = branches;
  const text =
    branches.length === 1
      ? only
      : `select ${columns} from (${branches.map((one) => `(${one})`).join(" union ")}) o ${page.end}`;
  return { text, values };
}

interface BranchPage {
  readonly inRange: readonly string[];
  readonly columns: string;
  /** The order and the limit. */
  readonly end: string;
}

/** The first orders of each account are found by the account's index, however many orders the others have. */
function branchOf(
  { from = ORDERS, accounts, where }: Driver,
  { inRange, columns, end }: BranchPage,
): string {
  const found = `select ${columns} from ${from} where ${[...inRange, ...where].join(" and ")} ${end}`;
  if (accounts === undefined) return found;
  return `select ${columns} from accounts.accounts a cross join lateral (${found}) o where ${accounts} ${end}`;
}

/** An order of any account that is not deleted. @throws `not_found` */
export async function findAnyOrder(db: Queryable, id: string): Promise<Order> {
  const rows = await queryRows<OrderRow>(db, {
    name: "desk-order-find",
    text: `select ${ORDER_COLUMNS} from orders.porting_orders o
      where o.id = $1 and o.deleted_at is null`,
    values: [id],
  });
  const order = await toOneOrder(db, rows);
  if (order === null) throw unknownOrder();
  return order;
}

type OrderIdentity = Pick<Order, "id" | "account_id" | "country_code" | "number_type">;

/** Checks that there is an order that is not deleted, without reading it. @throws `not_found` */
export async function requireAnyOrder(db: Queryable, id: string): Promise<OrderIdentity> {
  const [row] = await queryRows<OrderIdentity>(db, {
    name: "desk-order-exists",
    text: `select id, account_id, country_code, number_type from orders.porting_orders
      where id = $1 and deleted_at is null`,
    values: [id],
  });
  if (row === undefined) throw unknownOrder();
  return row;
}

/** What the desk shows of an order beside the order itself. */
export interface DeskFacts {
  readonly account_name: string;
  /** The oldest of the order's messages that await a replay. */
  readonly dead_letter: {
    readonly consumer: string;
    readonly error_code: string;
    readonly created_at: string;
  } | null;
  /** When its open review was due; null where that is not over. */
  readonly overdue_since: Date | null;
  /** When the customer wrote the first comment that waits for an answer. */
  readonly comment_since: Date | null;
  /** The account of a live order with one of its numbers, while it is under review. */
  readonly duplicate: { readonly account: string; readonly created_at: string } | null;
}

type FactsRow = DeskFacts & { readonly id: string };

const READ = `select o.id, a.name as account_name, d.letter as dead_letter,
    case when c.due_at < $2 then c.due_at end as overdue_since, w.since as comment_since,
    case when c.order_id is not null then (${ONE_DUPLICATE}) end as duplicate
  from orders.porting_orders o
  join accounts.accounts a on a.id = o.account_id
  left join reviews.cases c on c.order_id = o.id and c.state = 'open'
  left join orders.waiting_comments w on w.order_id = o.id
  left join lateral (
    select json_build_object('consumer', d.consumer, 'error_code', d.error_code, 'created_at', d.created_at) as letter
    from messaging.dead_letters d
    where ${ORDER_OF_LETTER} = o.id and d.state = 'parked'
    order by d.created_at limit 1
  ) d on true
  where o.id = any ($1::uuid[])`;

/** Reads the facts of several orders in one statement, by order id. */
export async function readDeskFacts(
  db: Queryable,
  orderIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, DeskFacts>> {
  if (orderIds.length === 0) return new Map();
  const rows = await queryRows<FactsRow>(db, {
    name: "desk-order-facts",
    text: READ,
    values: [orderIds, now],
  });
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

interface DeskComment extends Omit<Comment, "author_id"> {
  readonly created_at: Date;
  readonly internal: boolean;
  /** The operator who wrote it. */
  readonly author: { readonly id: string; readonly name: string } | null;
}

/** The comments in a range of ids with their operators, in scan order, as far as they fit a page. */
export async function listDeskComments(
  db: Queryable,
  { subject, id, range }: Omit<CommentList, "audience">,
): Promise<PageRows<DeskComment>> {
  const page = `select c.id, c.body, c.author_type, c.created_at, c.internal,
      case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as author
    from orders.comments c
    left join accounts.operators p on c.author_type = 'ops' and p.id::text = c.author_id
    where c.${subject}_id = $1 and c.id > $2 and c.id < $3
    order by c.id ${range.direction} limit $4`;
  const rows = await queryRows<DeskComment & CutRow>(db, {
    text: cutPageById(page, range.direction, "octet_length(p.body)"),
    values: [id, range.above, range.below, range.fetch],
  });
  const { rows: shown, hasMore } = rowsOfPage(rows, range.fetch);
  return { rows: shown.map(withoutCut), hasMore };
}

/** What is shown is the comment alone. */
function withoutCut(row: DeskComment): DeskComment {
  const { id, body, author_type, created_at, internal, author } = row;
  return { id, body, author_type, created_at, internal, author };
}
