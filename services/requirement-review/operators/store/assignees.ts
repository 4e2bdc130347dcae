import type { OperatorRole } from "../../../domain/account/rules/operator-role.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

export interface Assignee {
  readonly name: string;
  readonly role: OperatorRole;
  readonly active: boolean;
}

/** The operator to whom a case is to be assigned; null if there is none with the id. */
export async function findAssignee(db: Queryable, operatorId: string): Promise<Assignee | null> {
  const [found] = await queryRows<Assignee>(db, {
    name: "assignee",
    text: "select name, role, active from accounts.operators where id = $1",
    values: [operatorId],
  });
  return found ?? null;
}
