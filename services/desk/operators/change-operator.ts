import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import {
  addOperator,
  findOperator,
  issueOperatorToken,
  lockOperator,
  lockOperatorTokens,
  lockWithAdmins,
  revokeOperatorToken,
  updateOperator,
  type OperatorRow,
  type OperatorTokenRecord,
} from "../../domain/account/store/operators.ts";
import { constraintOf } from "../../platform/db/database-fault.ts";
import { inTransaction, type Database, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { ByOperator } from "../access/desk-routes.ts";
import { endSessionsOf } from "../session/store.ts";

/** What is undefined stays as it is. */
export interface OperatorChanges {
  readonly name?: string | undefined;
  readonly role?: OperatorRole | undefined;
  readonly active?: boolean | undefined;
}

interface ChangedOperator {
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

interface NewOperator {
  readonly name: string;
  readonly role: OperatorRole;
}

/** Adds an operator and the audit entry. @throws `invalid_state` where the name is taken */
export function addNamedOperator(
  db: Database,
  { name, role }: NewOperator,
  by: ByOperator,
): Promise<OperatorRow> {
  return withUniqueName(name, () =>
    inTransaction(db, async (tx) => {
      const operator = await addOperator(tx, { name, role, at: by.at });
      const { id, active } = operator;
      const after = { operator: { id, name }, role, active };
      await writeAudit(tx, { ...by, action: "operator.added", after });
      return operator;
    }),
  );
}

/** @throws `invalid_state` where `write` meets another operator of the name */
async function withUniqueName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (constraintOf(error)?.constraint !== "operators_name") throw error;
    throw new AppError("invalid_state", `An operator named ${name} exists already.`);
  }
}

interface IssuedToken {
  readonly record: OperatorTokenRecord;
  /** The token itself, shown once. */
  readonly token: string;
}

/** Issues a token. @throws `not_found`, and `invalid_state` for an operator who is not active */
export function issueToken(db: Database, operatorId: string, by: ByOperator): Promise<IssuedToken> {
  return inTransaction(db, async (tx) => {
    const operator = await lockOperator(tx, operatorId);
    if (operator === null) throw noSuchOperator();
    if (!operator.active) {
      throw new AppError("invalid_state", `${operator.name} is not active.`);
    }
    const issued = await issueOperatorToken(tx, { operatorId, at: by.at });
    const { id: token_id, prefix } = issued.record;
    const { id, name } = operator;
    const after = { operator: { id, name }, token_id, prefix };
    await writeAudit(tx, { ...by, action: "operator_token.issued", after });
    return issued;
  });
}

interface TokenAddress {
  readonly operatorId: string;
  readonly tokenId: string;
}

/** Revokes an operator's token; a repeat changes nothing. @throws `not_found` */
export function revokeToken(
  db: Database,
  { operatorId, tokenId }: TokenAddress,
  by: ByOperator,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await revokeLocked(tx, await requireToken(tx, { operatorId, tokenId }), by);
  });
}

/** Locks an operator's token. @throws `not_found` */
export async function requireToken(
  tx: Queryable,
  { operatorId, tokenId }: TokenAddress,
): Promise<OperatorTokenRecord> {
  const [found] = await lockOperatorTokens(tx, tokenId);
  if (found?.operator_id === operatorId) return found;
  throw new AppError("not_found", "The operator has no such token.");
}

/** Revokes a locked token, unless it is revoked already. Its sessions end with it. */
export async function revokeLocked(
  tx: Queryable,
  { id, operator_id, prefix, revoked_at }: OperatorTokenRecord,
  by: ByOperator,
): Promise<void> {
  if (revoked_at !== null) return;
  await revokeOperatorToken(tx, id, by.at);
  const action = "operator_token.revoked";
  const name = (await findOperator(tx, operator_id))?.name ?? "";
  const operator = { id: operator_id, name };
  const before = { operator, token_id: id, prefix, revoked_at: null };
  await writeAudit(tx, { ...by, action, before, after: { revoked_at: by.at.toISOString() } });
}
