import {
  listTokensOf,
  type OperatorRow,
  type OperatorTokenRecord,
} from "../../domain/account/store/operators.ts";
import type { Queryable } from "../../platform/db/transaction.ts";

/** Operators with their tokens, as admins see them. */
export async function presentOperators(db: Queryable, operators: readonly OperatorRow[]) {
  const ids = operators.map(({ id }) => id);
  const tokens = await listTokensOf(db, ids);
  return operators.map(({ id, name, role, active, created_at }) => ({
    ...{ id, name, role, active, created_at },
    tokens: tokens.filter((token) => token.operator_id === id).map(presentToken),
  }));
}

export function presentToken({ id, prefix, created_at, revoked_at }: OperatorTokenRecord) {
  return { id, prefix, created_at, revoked_at };
}
