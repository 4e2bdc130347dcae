import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** The name of an account, which an order always has. */
export async function findAccountName(db: Queryable, accountId: string): Promise<string> {
  const [row] = await queryRows<{ name: string }>(db, {
    name: "account-name",
    text: "select name from accounts.accounts where id = $1",
    values: [accountId],
  });
  return row?.name ?? "";
}
