import { findOperator, type OperatorRow } from "../../domain/account/store/operators.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { noSuchOperator } from "./change-operator.ts";

/** @throws `not_found` */
export async function requireOperator(db: Queryable, id: string): Promise<OperatorRow> {
  const operator = await findOperator(db, id);
  if (operator === null) throw noSuchOperator();
  return operator;
}
