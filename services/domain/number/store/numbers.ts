import { AppError } from "../../../platform/errors.ts";
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
  /** Limits the time of activation. */
  readonly filter: CreatedWithin;
}

/** An account's numbers by activation time, then by number, in scan order; the number itself is the cursor. */
export async function listNumbers(
  db: Queryable,
  { accountId, scan, filter }: NumberList,
): Promise<PlatformNumber[]> {
  return queryRows<PlatformNumber>(db, {
    text: `select ${NUMBER_COLUMNS} from orders.numbers
      where account_id = $1
        and ($3::text is null or (activated_at, phone_number) ${scan.comparison}
          (select activated_at, phone_number from orders.numbers where account_id = $1 and phone_number = $3))
        and ($4::timestamptz is null or activated_at >= $4)
        and ($5::timestamptz is null or activated_at < $5)
      order by activated_at ${scan.direction}, phone_number ${scan.direction} limit $2`,
    values: [
      accountId,
      scan.fetch,
      scan.cursorId,
      filter.created_after ?? null,
      filter.created_before ?? null,
    ],
  });
}
