import type { AuditedValues } from "../../domain/account/store/audit-log.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { claimersIn, withClaimers } from "../audit/name-claimers.ts";
import { findPersons } from "../operators/store/persons.ts";
import { actorsIn, withActor } from "./name-actors.ts";
import type { TraceRow } from "./store/trace.ts";

/** The rank of what the audit log has, each with the name that its operator had then. */
const AUDITED = 0;

/** Steps of a trace with persons where the tables have operators by their ids alone; one query for all. */
export async function nameInTrace(db: Queryable, rows: readonly TraceRow[]): Promise<TraceRow[]> {
  const acted = rows.filter(({ rank }) => rank !== AUDITED);
  const personOf = await findPersons(db, [...actorsIn(acted), ...claimersIn(rows.map(changeOf))]);
  return rows.map((row) =>
    row.rank === AUDITED
      ? { ...row, value: withClaimers(changeOf(row), personOf) }
      : withActor(row, personOf),
  );
}

function changeOf({ rank, value }: TraceRow) {
  const { before, after } = rank === AUDITED && value !== null ? value : {};
  return { before: valuesIn(before), after: valuesIn(after) };
}

function valuesIn(value: unknown): AuditedValues | null {
  return typeof value === "object" && value !== null ? { ...value } : null;
}
