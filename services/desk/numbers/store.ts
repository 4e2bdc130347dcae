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

interface DeskNumberFilter extends CreatedWithin {
  readonly account_id?: string | undefined;
  readonly phone_number?: string | undefined;
  readonly provider?: string | undefined;
  readonly status?: readonly string[] | undefined;
}

interface DeskNumberList {
  readonly scan: Keyset;
  readonly filter: DeskNumberFilter;
}

/** The numbers of all accounts, without those that were ported out, by activation, in scan order. */
export async function listAnyNumbers(
  db: Queryable,
  { scan, filter }: DeskNumberList,
): Promise<DeskNumber[]> {
  return queryRows<DeskNumber>(db, {
    text: `select ${COLUMNS} from orders.numbers
      where status <> 'ported_out'
        and ($2::text is null or (activated_at, phone_number) ${scan.comparison}
          (select activated_at, phone_number from orders.numbers where phone_number = $2 and status <> 'ported_out'))
        and ($3::uuid is null or account_id = $3) and ($4::text is null or phone_number = $4)
        and ($5::text is null or provider = $5) and ($6::text[] is null or status = any ($6))
        and ($7::timestamptz is null or activated_at >= $7)
        and ($8::timestamptz is null or activated_at < $8)
      order by activated_at ${scan.direction}, phone_number ${scan.direction} limit $1`,
    values: [
      scan.fetch,
      scan.cursorId,
      filter.account_id ?? null,
      filter.phone_number ?? null,
      filter.provider ?? null,
      filter.status ?? null,
      filter.created_after ?? null,
      filter.created_before ?? null,
    ],
  });
}
