import { writeAudit } from "../../domain/account/store/audit-log.ts";
import {
  findOperator,
  issueOperatorToken,
  lockOperatorTokens,
  lockOperator,
  revokeOperatorToken,
  type OperatorTokenRecord,
} from "../../domain/account/store/operators.ts";
import { inTransaction, type Database, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { ByOperator } from "../access/operator.ts";
import { noSuchOperator } from "./change-operator.ts";

export interface IssuedToken {
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

export interface TokenAddress {
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
