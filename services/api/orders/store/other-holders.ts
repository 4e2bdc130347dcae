import { isE164 } from "../../../domain/number/rules/classify-number.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** Numbers that another account holds, with that account's id. */
export type OtherHolders = ReadonlyMap<string, string>;

/** Which of the numbers other accounts of the platform hold; invalid numbers are ignored. */
export async function findOtherHolders(
  db: Queryable,
  accountId: string,
  phoneNumbers: readonly string[],
): Promise<OtherHolders> {
  const rows = await queryRows<{ phone_number: string; account_id: string }>(db, {
    name: "numbers-other-holders",
    text: `select phone_number, account_id from orders.numbers
      where account_id <> $1 and phone_number = any ($2::text[]) and status <> 'ported_out'`,
    values: [accountId, phoneNumbers.filter(isE164)],
  });
  return new Map(rows.map(({ phone_number, account_id }) => [phone_number, account_id]));
}
