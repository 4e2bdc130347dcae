import type { AuditedValues } from "../../domain/account/store/audit-log.ts";
import type { Actor } from "../../domain/order/rules/order.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { isUuid } from "../../platform/ids.ts";
import { findPersons, type PersonOf } from "./store.ts";

type Values = AuditedValues | null;

/** What an audited change made of what. */
interface Change {
  readonly before: Values;
  readonly after: Values;
}

/** The changes with each `claimed_by`, which the log has as an operator's id, as a person; one query for all. */
export async function nameClaimers<T extends Change>(
  db: Queryable,
  rows: readonly T[],
): Promise<T[]> {
  const personOf = await findPersons(db, claimersIn(rows));
  return rows.map((row) => withClaimers(row, personOf));
}

/** The ids of the operators who had a claim before or after one of the changes. */
export function claimersIn(rows: readonly Change[]): string[] {
  const ids = rows.flatMap(({ before, after }) => [claimerIn(before), claimerIn(after)]);
  return ids.filter((id) => id !== null);
}

export function withClaimers<T extends Change>(row: T, personOf: PersonOf): T {
  return { ...row, before: named(row.before, personOf), after: named(row.after, personOf) };
}

function claimerIn(values: Values): string | null {
  const id = values?.["claimed_by"];
  return typeof id === "string" ? id : null;
}

function named(values: Values, personOf: PersonOf): Values {
  const id = claimerIn(values);
  return id === null ? values : { ...values, claimed_by: personOf(id) };
}

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
