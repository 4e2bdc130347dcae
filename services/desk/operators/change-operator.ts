import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import {
  lockWithAdmins,
  updateOperator,
  type OperatorRow,
} from "../../domain/account/store/operators.ts";
import { inTransaction, type Database } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { ByOperator } from "../access/operator.ts";
import { endSessionsOf } from "../session/store/sessions.ts";
import { withUniqueName } from "./add-operator.ts";

/** What is undefined stays as it is. */
export interface OperatorChanges {
  readonly name?: string | undefined;
  readonly role?: OperatorRole | undefined;
  readonly active?: boolean | undefined;
}

export interface ChangedOperator {
  readonly id: string;
  readonly changes: OperatorChanges;
}

/**
 * Changes an operator and writes the audit entry, unless nothing changes; a deactivated operator's sessions end.
 * @throws `not_found`, and `invalid_state` for a name that is taken and for the last active admin
 */
export function changeOperator(
  db: Database,
  { id, changes }: ChangedOperator,
  by: ByOperator,
): Promise<OperatorRow> {
  return withUniqueName(changes.name ?? "", () =>
    inTransaction(db, async (tx) => {
      const locked = await lockWithAdmins(tx, id);
      const before = locked.find((operator) => operator.id === id);
      if (before === undefined) throw noSuchOperator();
      const after = changed(before, changes);
      if (auditedOf(before, after) === null) return before;
      // Of an admin who is locked alone there is no other.
      if (isAdmin(before) && !isAdmin(after) && locked.length === 1) throw lastAdmin(before);
      await updateOperator(tx, after);
      if (!after.active) await endSessionsOf(tx, id);
      await writeAudit(tx, { ...by, action: "operator.changed", ...auditedOf(before, after) });
      return after;
    }),
  );
}

export function noSuchOperator(): AppError {
  return new AppError("not_found", "There is no such operator.");
}

function changed(before: OperatorRow, { name, role, active }: OperatorChanges): OperatorRow {
  return {
    ...before,
    name: name ?? before.name,
    role: role ?? before.role,
    active: active ?? before.active,
  };
}

function isAdmin({ role, active }: OperatorRow): boolean {
  return role === "admin" && active;
}

function lastAdmin({ name }: OperatorRow): AppError {
  return new AppError(
    "invalid_state",
    `${name} is the last active admin; make somebody else an admin first.`,
  );
}

const AUDITED = ["role", "active"] as const;

/** The operator and the changed values, before and after; null where nothing changes. */
function auditedOf(before: OperatorRow, after: OperatorRow) {
  const fields = AUDITED.filter((field) => before[field] !== after[field]);
  if (fields.length === 0 && before.name === after.name) return null;
  const valuesOf = ({ id, name, ...values }: OperatorRow) => ({
    operator: { id, name },
    ...Object.fromEntries(fields.map((field) => [field, values[field]])),
  });
  return { before: valuesOf(before), after: valuesOf(after) };
}
