import type { AuditedValues } from "../../domain/account/store/audit-log.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { findPersons, type PersonOf } from "../operators/store/persons.ts";

type Values = AuditedValues | null;

/** What an audited change made of what. */
export interface Change {
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
