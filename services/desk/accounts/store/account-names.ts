import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** The names of accounts, by id. */
export async function readAccountNames(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows<{ id: string; name: string }>(db, {
    name: "account-names",
    text: "select id, name from accounts.accounts where id = any ($1::uuid[])",
    values: [[...new Set(ids)]],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
