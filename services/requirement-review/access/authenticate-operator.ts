import { DESK_TOKEN, isWellFormed } from "../../domain/account/rules/api-key.ts";
import { findTokenHolder } from "../../domain/account/store/operators.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { OperatorPrincipal } from "./operator.ts";

/** Whose token it is, by one look-up and no cache; null, without a difference, for any that does not count. */
export async function authenticateOperator(
  pool: Queryable,
  credential: string | null,
): Promise<OperatorPrincipal | null> {
  if (credential === null || !isWellFormed(DESK_TOKEN, credential)) return null;
  const holder = await findTokenHolder(pool, credential);
  return holder === null ? null : { operatorId: holder.id, name: holder.name };
}
