import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

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
