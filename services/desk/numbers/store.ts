import { boundValues, type BoundValues } from "../../platform/db/recordset.ts";
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

export interface DeskNumberFilter extends CreatedWithin {
  readonly account_id?: string | undefined;
  readonly phone_number?: string | undefined;
  readonly provider?: string | undefined;
  readonly status?: readonly string[] | undefined;
  /** Digits of which it ends in any; with none of them, no number matches. */
  readonly endings?: readonly string[] | undefined;
}

const CONDITIONS = {
  account_id: (at: string) => `account_id = ${at}`,
  phone_number: (at: string) => `phone_number = ${at}`,
  provider: (at: string) => `provider = ${at}`,
  status: (at: string) => `status = any (${at}::text[])`,
  created_after: (at: string) => `activated_at >= ${at}::timestamptz`,
  created_before: (at: string) => `activated_at < ${at}::timestamptz`,
} as const satisfies FilterConditions<Omit<DeskNumberFilter, "endings">>;

/** By the index of the numbers of orders, which brought in every number. */
function endsInAny(endings: readonly string[], bind: BoundValues["bind"]): string {
  const found = endings.map(
    (digits) => `select phone_number from orders.order_numbers where ${endsIn(bind(digits))}`,
  );
  return found.length === 0 ? "false" : `phone_number = any (array(${found.join(" union ")}))`;
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
