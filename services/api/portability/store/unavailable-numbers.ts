import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { UnavailableReason } from "../check-portability.ts";
import { isE164 } from "../../../domain/number/rules/classify-number.ts";

interface UnavailableNumber {
  readonly phone_number: string;
  readonly reason: UnavailableReason;
}

/** Which of the numbers the account already has, or has in a live order; invalid numbers are ignored. */
export async function findUnavailableNumbers(
  db: Queryable,
  accountId: string,
  phoneNumbers: readonly string[],
): Promise<ReadonlyMap<string, UnavailableReason>> {
  const rows = await queryRows<UnavailableNumber>(db, {
    name: "numbers-unavailable",
    text: `select phone_number, 'number_in_active_order' as reason from orders.order_numbers
        where account_id = $1 and phone_number = any ($2::text[]) and live
      union all
      select phone_number, 'already_active' from orders.numbers
        where account_id = $1 and phone_number = any ($2::text[]) and status <> 'ported_out'
      order by reason desc`,
    values: [accountId, phoneNumbers.filter(isE164)],
  });
  // A number in both gets the last row's reason, already_active, which order creation reports as well.
  return new Map(rows.map(({ phone_number, reason }) => [phone_number, reason]));
}
