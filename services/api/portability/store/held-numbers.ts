import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { HeldReason } from "../check-portability.ts";
import { isE164 } from "../../../domain/number/rules/classify-number.ts";

interface HeldNumber {
  readonly phone_number: string;
  readonly reason: HeldReason;
}

/** Those of the numbers that the account has, or has in a live order; what is no number is none of them. */
export async function findHeldNumbers(
  db: Queryable,
  accountId: string,
  phoneNumbers: readonly string[],
): Promise<ReadonlyMap<string, HeldReason>> {
  const rows = await queryRows<HeldNumber>(db, {
    name: "numbers-held",
    text: `select phone_number, 'number_in_active_order' as reason from orders.order_numbers
        where account_id = $1 and phone_number = any ($2::text[]) and live
      union all
      select phone_number, 'already_active' from orders.numbers
        where account_id = $1 and phone_number = any ($2::text[]) and status <> 'ported_out'
      order by reason desc`,
    values: [accountId, phoneNumbers.filter(isE164)],
  });
  // A number in both has the last row's reason, already_active, which the creation of an order gives it too.
  return new Map(rows.map(({ phone_number, reason }) => [phone_number, reason]));
}
