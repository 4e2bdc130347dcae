import { AppError } from "../../../platform/errors.ts";
import { boundValues } from "../../../platform/db/bound-values.ts";
import type { CreatedWithin } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { Keyset } from "../../../platform/http/paging/paging.ts";
import type { PlatformNumber } from "../rules/platform-number.ts";

export const NUMBER_COLUMNS = `phone_number, status, country_code, number_type, provider, porting_order_id,
  activated_at, forwarding, port_out_lock, port_out_pin is not null as port_out_pin_set`;

/** Finds an account's number. @throws `not_found` */
export async function findNumber(
  db: Queryable,
  accountId: string,
  phoneNumber: string,
): Promise<PlatformNumber> {
  const [row] = await queryRows<PlatformNumber>(db, {
    text: `select ${NUMBER_COLUMNS} from orders.numbers where account_id = $1 and phone_number = $2`,
    values: [accountId, phoneNumber],
  });
  if (row === undefined) throw unknownNumber();
  return row;
}

export function unknownNumber(): AppError {
  return new AppError("not_found", "There is no such number.");
}

export interface NumberList {
  readonly accountId: string;
  readonly scan: Keyset;
  readonly filter: NumberFilter;
}

/** `created_after` and `created_before` limit the time of activation. */
export interface NumberFilter extends CreatedWithin {
  readonly status?: readonly PlatformNumber["status"][] | undefined;
  readonly country_code?: string | undefined;
  readonly porting_order_id?: string | undefined;
}

/** Only given filters go into the statement, so that the number's order can use its index. */
const CONDITIONS = {
  status: (at: string) => `status = any (${at}::text[])`,
  country_code: (at: string) => `country_code = ${at}`,
  porting_order_id: (at: string) => `porting_order_id = ${at}`,
  created_after: (at: string) => `activated_at >= ${at}::timestamptz`,
  created_before: (at: string) => `activated_at < ${at}::timestamptz`,
} as const satisfies Record<keyof NumberFilter, (at: string) => string>;

const FILTERS = Object.keys(CONDITIONS) as (keyof NumberFilter)[];

/** An account's numbers by activation time, then by number, in scan order; the number itself is the cursor. */
export async function listNumbers(
  db: Queryable,
  { accountId, scan, filter }: NumberList,
): Promise<PlatformNumber[]> {
  const { values, bind } = boundValues(accountId, scan.fetch, scan.cursorId);
  const conditions = FILTERS.filter((name) => filter[name] !== undefined).map(
    (name) => `and ${CONDITIONS[name](bind(filter[name]))}`,
  );
  return queryRows<PlatformNumber>(db, {
    text: `select ${NUMBER_COLUMNS} from orders.numbers
      where account_id = $1
        and ($3::text is null or (activated_at, phone_number) ${scan.comparison}
          (select activated_at, phone_number from orders.numbers where account_id = $1 and phone_number = $3))
        ${conditions.join(" ")}
      order by activated_at ${scan.direction}, phone_number ${scan.direction} limit $2`,
    values,
  });
}
