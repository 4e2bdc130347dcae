import type { Actor } from "../../domain/order/rules/order.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { isUuid } from "../../platform/ids.ts";
import { findPersons } from "../operators/store/persons.ts";

/** Entries with the names of the operators who acted, which what the desk decided has by id alone. */
export async function nameActors<T extends { readonly actor: Actor | null }>(
  db: Queryable,
  entries: readonly T[],
): Promise<T[]> {
  const ids = entries.map(({ actor }) => operatorOf(actor)).filter((id) => id !== null);
  const personOf = await findPersons(db, ids);
  return entries.map((entry) => {
    const id = operatorOf(entry.actor);
    return id === null ? entry : { ...entry, actor: { type: "desk", ...personOf(id) } };
  });
}

/** A decision of an earlier version may lack its operator. */
function operatorOf(actor: Actor | null): string | null {
  const id = actor?.type === "desk" ? actor.id : null;
  return id !== null && isUuid(id) ? id : null;
}
