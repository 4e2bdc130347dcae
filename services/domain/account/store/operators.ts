import type { IdRange } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { newId } from "../../../platform/ids.ts";
import { DESK_TOKEN, hashKey, issueKey } from "../rules/api-key.ts";
import type { OperatorRole } from "../rules/operator-role.ts";

export interface OperatorRow {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  /** An operator who is not active has no access, whatever tokens there are. */
  readonly active: boolean;
  readonly created_at: Date;
}

export interface OperatorTokenRecord {
  readonly id: string;
  readonly operator_id: string;
  readonly prefix: string;
  readonly created_at: Date;
  readonly revoked_at: Date | null;
}

const COLUMNS = "id, name, role, active, created_at";

/** Adds an operator; the name is unique (constraint `operators_name`). */
export async function addOperator(
  tx: Queryable,
  { name, role, at }: { readonly name: string; readonly role: OperatorRole; readonly at: Date },
): Promise<OperatorRow> {
  const operator: OperatorRow = { id: newId(at), name, role, active: true, created_at: at };
  await queryRows(tx, {
    text: `insert into accounts.operators (${COLUMNS}) values ($1, $2, $3, $4, $5)`,
    values: [operator.id, name, role, operator.active, at],
  });
  return operator;
}

export async function findOperatorNamed(db: Queryable, name: string): Promise<OperatorRow | null> {
  const text = `select ${COLUMNS} from accounts.operators where name = $1`;
  const [operator = null] = await queryRows<OperatorRow>(db, { text, values: [name] });
  return operator;
}

/** The admin who has been here longest: the operator that `npm start` made, unless somebody else runs the desk now. */
export async function findFirstAdmin(db: Queryable): Promise<OperatorRow | null> {
  const text = `select ${COLUMNS} from accounts.operators where role = 'admin' and active order by id limit 1`;
  const [operator = null] = await queryRows<OperatorRow>(db, { text });
  return operator;
}

const PAGE = {
  asc: `select ${COLUMNS} from accounts.operators where id > $1 and id < $2 order by id asc limit $3`,
  desc: `select ${COLUMNS} from accounts.operators where id > $1 and id < $2 order by id desc limit $3`,
};

/** Operators in a range of ids, in scan order. */
export async function pageOperators(
  db: Queryable,
  { direction, above, below, fetch }: IdRange,
): Promise<OperatorRow[]> {
  return queryRows(db, { text: PAGE[direction], values: [above, below, fetch] });
}

export async function hasOperators(db: Queryable): Promise<boolean> {
  const text = "select from accounts.operators limit 1";
  return (await queryRows(db, { text })).length > 0;
}

export async function findOperator(db: Queryable, id: string): Promise<OperatorRow | null> {
  const text = `select ${COLUMNS} from accounts.operators where id = $1`;
  const [operator] = await queryRows<OperatorRow>(db, { text, values: [id] });
  return operator ?? null;
}

/** Locks an operator, so that it stays as it is read here. */
export async function lockOperator(tx: Queryable, id: string): Promise<OperatorRow | null> {
  const text = `select ${COLUMNS} from accounts.operators where id = $1 for share`;
  const [operator] = await queryRows<OperatorRow>(tx, { text, values: [id] });
  return operator ?? null;
}

const LOCK_WITH_ADMINS = `select ${COLUMNS} from accounts.operators
  where id = $1 or (role = 'admin' and active) order by id for no key update`;

/** Locks an operator and every active admin, so that two admins who demote each other take turns. */
export async function lockWithAdmins(tx: Queryable, id: string): Promise<OperatorRow[]> {
  return queryRows(tx, { text: LOCK_WITH_ADMINS, values: [id] });
}

const UPDATE = "update accounts.operators set name = $2, role = $3, active = $4 where id = $1";

/** Writes name, role and `active`; the name is unique (constraint `operators_name`). */
export async function updateOperator(tx: Queryable, operator: OperatorRow): Promise<void> {
  const { id, name, role, active } = operator;
  await queryRows(tx, { text: UPDATE, values: [id, name, role, active] });
}

const TOKENS_OF = `select id, operator_id, prefix, created_at, revoked_at from accounts.operator_tokens
  where operator_id = any ($1::uuid[]) order by id`;

/** The tokens of these operators, oldest first. */
export async function listTokensOf(
  db: Queryable,
  operatorIds: readonly string[],
): Promise<OperatorTokenRecord[]> {
  return queryRows(db, { text: TOKENS_OF, values: [operatorIds] });
}

/** Every operator and every token, oldest first. */
export async function listOperators(
  db: Queryable,
): Promise<{ operators: OperatorRow[]; tokens: OperatorTokenRecord[] }> {
  const text = `select ${COLUMNS} from accounts.operators order by id`;
  const operators = await queryRows<OperatorRow>(db, { text });
  return {
    operators,
    tokens: await listTokensOf(
      db,
      operators.map(({ id }) => id),
    ),
  };
}

/** Issues a token for an operator, who may have several; `token` is the token itself, shown once. */
export async function issueOperatorToken(
  tx: Queryable,
  { operatorId, at }: { readonly operatorId: string; readonly at: Date },
): Promise<{ record: OperatorTokenRecord; token: string }> {
  const { key, prefix, hash } = issueKey(DESK_TOKEN);
  const record = {
    id: newId(at),
    operator_id: operatorId,
    prefix,
    created_at: at,
    revoked_at: null,
  };
  await queryRows(tx, {
    text: `insert into accounts.operator_tokens (id, operator_id, prefix, token_hash, created_at)
      values ($1, $2, $3, $4, $5)`,
    values: [record.id, operatorId, prefix, hash, at],
  });
  return { record, token: key };
}

const FIND_TOKENS = `select id, operator_id, prefix, created_at, revoked_at
  from accounts.operator_tokens where prefix = $1 or id::text = $1 for no key update`;

/** Locks the tokens with this prefix or id; there is more than one only if the prefix is not unique. */
export async function lockOperatorTokens(
  tx: Queryable,
  prefixOrId: string,
): Promise<OperatorTokenRecord[]> {
  return queryRows(tx, { text: FIND_TOKENS, values: [prefixOrId] });
}

const REVOKE = `update accounts.operator_tokens set revoked_at = $2
  where id = $1 and revoked_at is null returning id`;

/** Returns false if the token was already revoked. */
export async function revokeOperatorToken(tx: Queryable, id: string, at: Date): Promise<boolean> {
  const rows = await queryRows(tx, { text: REVOKE, values: [id, at] });
  return rows.length === 1;
}

/** An operator who has access, and the token by which. */
export interface TokenHolder extends OperatorRow {
  readonly token_id: string;
}

const FIND_HOLDER = `select o.id, o.name, o.role, o.active, o.created_at, t.id as token_id
  from accounts.operator_tokens t join accounts.operators o on o.id = t.operator_id
  where t.token_hash = $1 and t.revoked_at is null and o.active`;

/** The holder of an active token; queried for every request, so that a revocation takes effect at once. */
export async function findTokenHolder(db: Queryable, token: string): Promise<TokenHolder | null> {
  const [holder] = await queryRows<TokenHolder>(db, {
    name: "operator-token-holder",
    text: FIND_HOLDER,
    values: [hashKey(token)],
  });
  return holder ?? null;
}
