import type { OperatorRole } from "../../../domain/account/rules/operator-role.ts";
import type { Person } from "./persons.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

export interface Assignee {
  readonly name: string;
  readonly role: OperatorRole;
  readonly active: boolean;
}

export interface Reviewer extends Person {
  readonly role: OperatorRole;
}

/** The active operators with one of the roles, by name. */
export async function listReviewers(
  db: Queryable,
  roles: readonly OperatorRole[],
): Promise<Reviewer[]> {
  return queryRows<Reviewer>(db, {
    name: "reviewers",
    text: "select id, name, role from accounts.operators where active and role = any ($1::text[]) order by name",
    values: [roles],
  });
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
