import { DESK_TOKEN, isWellFormed } from "../../domain/account/rules/api-key.ts";
import { findTokenHolder } from "../../domain/account/store/operators.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { OperatorPrincipal } from "./operator.ts";

/** The operator of a token, by one query and without a cache; null for any invalid token, whatever the reason. */
export async function authenticateOperator(
  pool: Queryable,
  credential: string | null,
): Promise<OperatorPrincipal | null> {
  if (credential === null || !isWellFormed(DESK_TOKEN, credential)) return null;
  const holder = await findTokenHolder(pool, credential);
  return holder === null ? null : { operatorId: holder.id, name: holder.name, role: holder.role };
}
