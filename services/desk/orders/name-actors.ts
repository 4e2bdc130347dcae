import type { Actor } from "../../domain/order/rules/order.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { isUuid } from "../../platform/ids.ts";
import { findPersons, type PersonOf } from "../operators/store/persons.ts";

interface Acted {
  readonly actor: Actor | null;
}

/** Entries with the names of the operators who acted, which what the desk decided has by id alone. */
export async function nameActors<T extends Acted>(
  db: Queryable,
  entries: readonly T[],
): Promise<T[]> {
  const personOf = await findPersons(db, actorsIn(entries));
  return entries.map((entry) => withActor(entry, personOf));
}

/** The ids of the operators who acted. */
export function actorsIn(entries: readonly Acted[]): string[] {
  return entries.map(({ actor }) => operatorOf(actor)).filter((id) => id !== null);
}

export function withActor<T extends Acted>(entry: T, personOf: PersonOf): T {
  const id = operatorOf(entry.actor);
  return id === null ? entry : { ...entry, actor: { type: "desk", ...personOf(id) } };
}

/** A decision of an earlier version may lack its operator. */
function operatorOf(actor: Actor | null): string | null {
  const id = actor?.type === "desk" ? actor.id : null;
  return id !== null && isUuid(id) ? id : null;
}
