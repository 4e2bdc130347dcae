import {
  boundValues,
  recordset,
  recordsetValue,
  type BoundValues,
  type Columns,
  type RowOf,
} from "../../platform/db/recordset.ts";
import { conditionsOf, type FilterConditions } from "../../platform/db/filter-conditions.ts";
import { endsIn } from "../orders/store/find-orders.ts";
import type { PlatformNumber } from "../../domain/number/rules/platform-number.ts";
import { NUMBER_COLUMNS, unknownNumber } from "../../domain/number/store/numbers.ts";
import {
  countRows,
  pageText,
  type PageStatement,
  type Total,
} from "../../platform/db/count-rows.ts";
import { pageByKey, type CreatedWithin, type IdRange } from "../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { Keyset } from "../../platform/http/paging.ts";

/** A number as the desk sees it, with its account. */
interface DeskNumber extends PlatformNumber {
  readonly account_id: string;
  readonly account: { readonly id: string; readonly name: string };
}

const COLUMNS = `account_id, ${NUMBER_COLUMNS},
  (select json_build_object('id', a.id, 'name', a.name) from accounts.accounts a where a.id = account_id) as account`;

/** An account's number, also one that has left. @throws `not_found` */
export async function findNumberOf(
  db: Queryable,
  accountId: string,
  phoneNumber: string,
): Promise<DeskNumber> {
  const [row] = await queryRows<DeskNumber>(db, {
    text: `select ${COLUMNS} from orders.numbers where account_id = $1 and phone_number = $2`,
    values: [accountId, phoneNumber],
  });
  if (row === undefined) throw unknownNumber();
  return row;
}

/** A number of any account. @throws `not_found` */
export async function findAnyNumber(db: Queryable, phoneNumber: string): Promise<DeskNumber> {
  const [row] = await queryRows<DeskNumber>(db, {
    text: `select ${COLUMNS} from orders.numbers
      where phone_number = $1 and status <> 'ported_out'`,
    values: [phoneNumber],
  });
  if (row === undefined) throw unknownNumber();
  return row;
}

/** A number as the account has it that had it last. @throws `not_found` */
export async function findLastNumber(db: Queryable, phoneNumber: string): Promise<DeskNumber> {
  const [row] = await queryRows<DeskNumber>(db, {
    text: `select ${COLUMNS} from orders.numbers where phone_number = $1
      order by orders.numbers.status = 'ported_out', event_sequence desc limit 1`,
    values: [phoneNumber],
  });
  if (row === undefined) throw unknownNumber();
  return row;
}

export interface DeskNumberFilter extends CreatedWithin {
  readonly account_id?: string | undefined;
  readonly phone_number?: string | undefined;
  readonly provider?: string | undefined;
  readonly status?: readonly string[] | undefined;
  readonly source?: PlatformNumber["source"] | undefined;
  /** Digits of which it ends in any; with none of them, no number matches. */
  readonly endings?: readonly string[] | undefined;
}

const CONDITIONS = {
  account_id: (at: string) => `account_id = ${at}`,
  phone_number: (at: string) => `phone_number = ${at}`,
  provider: (at: string) => `provider = ${at}`,
  status: (at: string) => `status = any (${at}::text[])`,
  source: (at: string) => `(porting_order_id is null) = (${at}::text = 'imported')`,
  created_after: (at: string) => `activated_at >= ${at}::timestamptz`,
  created_before: (at: string) => `activated_at < ${at}::timestamptz`,
} as const satisfies FilterConditions<Omit<DeskNumberFilter, "endings">>;

/** By the indexes of the numbers of orders, and of those that were imported. */
function endsInAny(endings: readonly string[], bind: BoundValues["bind"]): string {
  const found = endings.flatMap((digits) => {
    const ending = endsIn(bind(digits));
    return [
      `select phone_number from orders.order_numbers where ${ending}`,
      `select phone_number from orders.numbers where porting_order_id is null and ${ending}`,
    ];
  });
  return found.length === 0 ? "false" : `phone_number = any (array(${found.join(" union ")}))`;
}

/** What is known of a number that is to be imported. */
export interface KnownNumber {
  readonly phone_number: string;
  /** The account that has it, and its provider; null where nobody has it. */
  readonly account_id: string | null;
  readonly provider: string | null;
  readonly in_live_order: boolean;
}

export async function readKnownNumbers(
  db: Queryable,
  phoneNumbers: readonly string[],
): Promise<KnownNumber[]> {
  return queryRows<KnownNumber>(db, {
    name: "numbers-known",
    text: `select u.phone_number, n.account_id, n.provider, exists (select from orders.order_numbers o
        where o.phone_number = u.phone_number and o.live) as in_live_order
      from unnest($1::text[]) u (phone_number)
      left join orders.numbers n on n.phone_number = u.phone_number and n.status <> 'ported_out'`,
    values: [phoneNumbers],
  });
}

/** A number as it is imported. */
export const IMPORTED_NUMBER = {
  phone_number: "text",
  country_code: "text",
  number_type: "text",
  provider: "text",
  activated_at: "timestamptz",
} as const satisfies Columns;

/** Imports take turns, so that what one has read of the numbers holds until it has written them. */
export async function lockImports(tx: Queryable): Promise<void> {
  await queryRows(tx, {
    text: "select pg_advisory_xact_lock(hashtext('orders.numbers.import'))",
    values: [],
  });
}

/** A number that returns to an account reuses its old record; its event sequence continues. */
const IMPORT = `insert into orders.numbers
    (account_id, phone_number, status, country_code, number_type, provider, activated_at, event_sequence)
  select $1, u.phone_number, 'active', u.country_code, u.number_type, u.provider, u.activated_at,
    coalesce((select max(o.event_sequence) from orders.numbers o where o.phone_number = u.phone_number), 0)
  from ${recordset("$2", IMPORTED_NUMBER)}
  on conflict (account_id, phone_number) do update set status = 'active', country_code = excluded.country_code,
    number_type = excluded.number_type, provider = excluded.provider, porting_order_id = null,
    activated_at = excluded.activated_at, event_sequence = excluded.event_sequence, released = null`;

export async function importNumbers(
  tx: Queryable,
  accountId: string,
  numbers: readonly RowOf<typeof IMPORTED_NUMBER>[],
): Promise<void> {
  const rows = recordsetValue(IMPORTED_NUMBER, numbers);
  await queryRows(tx, { name: "numbers-import", text: IMPORT, values: [accountId, rows] });
}

interface DeskNumberList {
  readonly scan: Pick<Keyset, "direction" | "cursorId" | "fetch">;
  readonly filter: DeskNumberFilter;
  readonly orderBy: "activated_at" | "phone_number";
}

interface NumberCount {
  readonly range: IdRange;
  readonly filter: DeskNumberFilter;
}

function pageOf({ scan, filter, orderBy }: DeskNumberList): PageStatement {
  const { values, bind } = boundValues(scan.fetch);
  const { endings, ...simple } = filter;
  const conditions = [
    ...conditionsOf<Omit<DeskNumberFilter, "endings">>(CONDITIONS, simple, bind),
    ...(endings === undefined ? [] : [endsInAny(endings, bind)]),
  ];
  const sorted = {
    table: "(select phone_number, activated_at from orders.numbers where status <> 'ported_out')",
    alias: "n",
    idName: "phone_number",
    key: (row: string) => `${row}.${orderBy}`,
  };
  const { beyond, order } = pageByKey(sorted, scan, bind);
  const rows = `select ${COLUMNS} from orders.numbers n
      where ${["n.status <> 'ported_out'", ...conditions, ...beyond].join(" and ")}`;
  return { rows, order, limit: "$1", values };
}

/** The numbers of all accounts, without those that were ported out, in scan order. */
export async function listAnyNumbers(db: Queryable, list: DeskNumberList): Promise<DeskNumber[]> {
  const page = pageOf(list);
  return queryRows<DeskNumber>(db, { text: pageText(page), values: page.values });
}

export async function countAnyNumbers(
  db: Queryable,
  { range: { direction, fetch }, filter }: NumberCount,
): Promise<Total> {
  const scan = { direction, fetch, cursorId: null };
  return countRows(db, pageOf({ scan, filter, orderBy: "activated_at" }));
}
