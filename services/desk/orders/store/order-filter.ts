import type { BoundValues } from "../../../platform/db/recordset.ts";
import type { OrderStatus } from "../../../domain/order/rules/order.ts";
import { carrierIs } from "../../../domain/order/store/order-row.ts";
import { ORDER_OF_LETTER } from "../../dead-letters/store/order-of-letter.ts";
import type { SearchTerm } from "../search-term.ts";

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

/** The condition of each filter; only given filters go into the statement, so that each can use its own index. */
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
} as const satisfies Partial<Record<keyof DeskOrderFilter, (at: string) => string>>;

const SIMPLE = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];

function referenceIs(at: string): string {
  return `o.customer_reference <> '' and lower(o.customer_reference) = lower(${at})`;
}

/** The condition that a number ends in the digits at a parameter, by the index of numbers in reverse. */
export function endsIn(at: string): string {
  return `reverse(phone_number) like reverse(${at}) || '%'`;
}

/** One way to find orders, by an index of its own. */
export interface Driver {
  /** A join that yields rows `o`; the orders themselves unless given. */
  readonly from?: string;
  /** Find orders account by account, of the accounts `a` that meet this. */
  readonly accounts?: string;
  readonly where: readonly string[];
}

export interface FilterPlan {
  /** Conditions of every driver. */
  readonly common: readonly string[];
  /** Their orders together are the list: each is scanned by its own index, in order of id, for one page. */
  readonly drivers: readonly Driver[];
}

/** Splits a filter into conditions and the alternatives that each need an index of their own. */
export function planFilter(filter: DeskOrderFilter, bind: Bind, now: Date): FilterPlan {
  const { status, search, attention } = filter;
  const common = SIMPLE.flatMap((name) => {
    const value = filter[name];
    const isDriver = name === "status" && search === undefined && attention !== true;
    return value === undefined || isDriver ? [] : [CONDITIONS[name](bind(value))];
  });
  if (attention === false) {
    const at = bind(now);
    common.push("o.attention is null", `not ${LETTER_OF_ORDER}`, `not ${overdueReview(at)}`);
  }
  if (search !== undefined) {
    if (attention === true) {
      common.push(`(o.attention is not null or ${LETTER_OF_ORDER} or ${overdueReview(bind(now))})`);
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
  ];
}
