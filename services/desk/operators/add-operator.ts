import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { addOperator, type OperatorRow } from "../../domain/account/store/operators.ts";
import { constraintOf } from "../../platform/db/database-fault.ts";
import { inTransaction, type Database } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { ByOperator } from "../access/operator.ts";

interface NewOperator {
  readonly name: string;
  readonly role: OperatorRole;
}

/** Adds an operator and the audit entry. @throws `invalid_state` where the name is taken */
export function addNamedOperator(
  db: Database,
  { name, role }: NewOperator,
  by: ByOperator,
): Promise<OperatorRow> {
  return withUniqueName(name, () =>
    inTransaction(db, async (tx) => {
      const operator = await addOperator(tx, { name, role, at: by.at });
      const { id, active } = operator;
      const after = { operator: { id, name }, role, active };
      await writeAudit(tx, { ...by, action: "operator.added", after });
      return operator;
    }),
  );
}

/** @throws `invalid_state` where `write` meets another operator of the name */
export async function withUniqueName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (constraintOf(error)?.constraint !== "operators_name") throw error;
    throw new AppError("invalid_state", `An operator named ${name} exists already.`);
  }
}
