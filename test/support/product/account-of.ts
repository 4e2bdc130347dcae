import { z } from "zod";
import { hashKey } from "../../../services/domain/account/rules/api-key.ts";
import type { Queryable } from "../../../services/platform/db/transaction.ts";

const found = z.tuple([z.object({ account_id: z.string() })]);

/** The id of the account whose key it is. */
export async function accountOf(database: Queryable, apiKey: string): Promise<string> {
  const { rows } = await database.query({
    text: "select account_id from accounts.api_keys where key_hash = $1",
    values: [hashKey(apiKey)],
  });
  return found.parse(rows)[0].account_id;
}
