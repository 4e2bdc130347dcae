import { boundValues } from "../../platform/db/recordset.ts";
import { conditionsOf, type FilterConditions } from "../../platform/db/filter-conditions.ts";
import type { PlatformNumber } from "../../domain/number/rules/platform-number.ts";
import { NUMBER_COLUMNS, unknownNumber } from "../../domain/number/store/numbers.ts";
import type { CreatedWithin } from "../../platform/db/id-range.ts";
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
}

const CONDITIONS = {
  account_id: (at: string) => `account_id = ${at}`,
  phone_number: (at: string) => `phone_number = ${at}`,
  provider: (at: string) => `provider = ${at}`,
  status: (at: string) => `status = any (${at}::text[])`,
  created_after: (at: string) => `activated_at >= ${at}::timestamptz`,
  created_before: (at: string) => `activated_at < ${at}::timestamptz`,
} as const satisfies FilterConditions<DeskNumberFilter>;

interface DeskNumberList {
  readonly scan: Keyset;
  readonly filter: DeskNumberFilter;
}

/** The numbers of all accounts, without those that were ported out, by activation, in scan order. */
export async function listAnyNumbers(
  db: Queryable,
  { scan, filter }: DeskNumberList,
): Promise<DeskNumber[]> {
  const { values, bind } = boundValues(scan.fetch, scan.cursorId);
  const conditions = conditionsOf<DeskNumberFilter>(CONDITIONS, filter, bind);
  return queryRows<DeskNumber>(db, {
    text: `select ${COLUMNS} from orders.numbers
      where ${["status <> 'ported_out'", ...conditions].join(" and ")}
        and ($2::text is null or (activated_at, phone_number) ${scan.comparison}
          (select activated_at, phone_number from orders.numbers where phone_number = $2 and status <> 'ported_out'))
      order by activated_at ${scan.direction}, phone_number ${scan.direction} limit $1`,
    values,
  });
}
