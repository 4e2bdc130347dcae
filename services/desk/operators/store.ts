import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";

/** An operator as the desk shows one. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Finds the person of an operator's id. */
export type PersonOf = (operatorId: string) => Person;

/** The operators with these ids, in one query; operators are never deleted. */
export async function findPersons(db: Queryable, operatorIds: Iterable<string>): Promise<PersonOf> {
  const ids = [...new Set(operatorIds)];
  const rows =
    ids.length === 0
      ? []
      : await queryRows<Person>(db, {
          name: "persons",
          text: "select id, name from accounts.operators where id = any ($1::uuid[])",
          values: [ids],
        });
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => ({ id, name: names.get(id) ?? "Unknown operator" });
}

export interface Assignee {
  readonly name: string;
  readonly role: OperatorRole;
  readonly active: boolean;
}

interface Reviewer extends Person {
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
