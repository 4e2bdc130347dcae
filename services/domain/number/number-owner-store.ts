import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";

/** Whose a number is, and the order that brought it in. */
export interface NumberOwner {
  readonly account_id: string;
  readonly porting_order_id: string | null;
}

/** The accounts that have the numbers now; numbers of no account are not in it. */
export async function readOwners(
  db: Queryable,
  phoneNumbers: readonly string[],
): Promise<Map<string, NumberOwner>> {
  const rows = await queryRows<NumberOwner & { readonly phone_number: string }>(db, {
    name: "numbers-owners",
    text: `select phone_number, account_id, porting_order_id from orders.numbers
      where phone_number = any ($1::text[]) and status <> 'ported_out'`,
    values: [phoneNumbers],
  });
  return new Map(rows.map(({ phone_number, ...owner }) => [phone_number, owner]));
}
