import { listOperatorNames } from "../../domain/account/store/operators.ts";
import type { TimelineEntry } from "../../domain/order/store/timeline.ts";
import type { Queryable } from "../../platform/db/transaction.ts";

/** Timeline entries with the names of the operators who acted, which what the desk decided has by id alone. */
export async function nameActors(
  db: Queryable,
  entries: readonly TimelineEntry[],
): Promise<TimelineEntry[]> {
  const ids = entries.flatMap(({ actor }) =>
    actor.type === "desk" && actor.id !== null ? [actor.id] : [],
  );
  const names = ids.length === 0 ? new Map<string, string>() : await listOperatorNames(db, ids);
  return entries.map((entry) => {
    const { type, id, name } = entry.actor;
    if (type !== "desk" || id === null) return entry;
    return { ...entry, actor: { type, id, name: names.get(id) ?? name } };
  });
}
