import type { DataSource } from "typeorm";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import {
  addOperator,
  findOperatorNamed,
  issueOperatorToken,
  listOperators,
  lockOperatorTokens,
  revokeOperatorToken,
} from "../../domain/account/store/operators.ts";
import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";
import type { Clock } from "../../platform/clock.ts";
import { inEntityTransaction, type EntityTransaction } from "../../platform/db/data-source.ts";
import { constraintOf } from "../../platform/db/database-fault.ts";
import { AppError } from "../../platform/errors.ts";

/** The commands of `npm run operators`; each returns the lines to print, or throws an AppError whose message is printed. */
export interface OperatorCommands {
  add(name: string, role: OperatorRole): Promise<string[]>;
  token(name: string): Promise<string[]>;
  revoke(prefixOrId: string): Promise<string[]>;
  list(): Promise<string[]>;
}

interface Deps {
  readonly dataSource: DataSource;
  readonly clock: Clock;
}

/** The command line has no operator: whoever can run it has access to the database already. */
const COMMAND_LINE = { id: null, name: "command line" };
const MAX_NAME = 128;

export function operatorCommands(deps: Deps): OperatorCommands {
  return {
    add: (name, role) => add(deps, { name: name.trim(), role }),
    token: (name) => issue(deps, name.trim()),
    revoke: (prefixOrId) => revoke(deps, prefixOrId.trim()),
    list: () => list(deps),
  };
}

async function add(
  { dataSource, clock }: Deps,
  { name, role }: { readonly name: string; readonly role: OperatorRole },
): Promise<string[]> {
  if (name === "" || name.length > MAX_NAME) {
    throw new AppError("validation_failed", `A name must have 1 to ${MAX_NAME} characters.`);
  }
  const at = clock.now();
  try {
    return await inEntityTransaction(dataSource, async ({ tx, manager }) => {
      const { id } = await addOperator(manager, { name, role, at });
      const after = { operator_id: id, operator: name, role };
      await writeAudit(tx, { at, operator: COMMAND_LINE, action: "operator.added", after });
      return [
        `${name} is an operator now, with the role ${role} (${id}).`,
        `Issue a token: npm run operators -- token "${name}"`,
      ];
    });
  } catch (error) {
    if (constraintOf(error)?.constraint !== "operators_name") throw error;
    throw new AppError("invalid_state", `An operator named ${name} exists already.`);
  }
}

async function issue({ dataSource, clock }: Deps, name: string): Promise<string[]> {
  const at = clock.now();
  return inEntityTransaction(dataSource, async ({ tx, manager }) => {
    const operator = await findOperatorNamed(manager, name);
    if (operator === null) throw new AppError("not_found", `There is no operator named ${name}.`);
    const { record, token } = await issueOperatorToken(manager, { operatorId: operator.id, at });
    const after = { operator: name, token_id: record.id, prefix: record.prefix };
    await writeAudit(tx, { at, operator: COMMAND_LINE, action: "operator_token.issued", after });
    return [token, "The token is not shown again."];
  });
}

async function revoke({ dataSource, clock }: Deps, prefixOrId: string): Promise<string[]> {
  return inEntityTransaction(dataSource, (both) => revokeOne(both, prefixOrId, clock.now()));
}

async function revokeOne(
  { tx }: EntityTransaction,
  prefixOrId: string,
  at: Date,
): Promise<string[]> {
  const [found, ...others] = await lockOperatorTokens(tx, prefixOrId);
  if (found === undefined) throw new AppError("not_found", `There is no token ${prefixOrId}.`);
  if (others.length > 0) {
    const ids = [found, ...others].map((token) => token.id).join(", ");
    throw new AppError(
      "invalid_state",
      `Several tokens have that prefix. Give the id of one: ${ids}.`,
    );
  }
  if (found.revoked_at !== null) return [`${found.prefix}… (${found.id}) was revoked already.`];
  await revokeOperatorToken(tx, found.id, at);
  const before = { token_id: found.id, prefix: found.prefix, revoked_at: null };
  const after = { revoked_at: at.toISOString() };
  await writeAudit(tx, {
    at,
    operator: COMMAND_LINE,
    action: "operator_token.revoked",
    before,
    after,
  });
  return [`${found.prefix}… (${found.id}) is revoked.`];
}

async function list({ dataSource }: Deps): Promise<string[]> {
  const { operators, tokens } = await listOperators(dataSource.manager);
  if (operators.length === 0) return ['There is no operator yet: npm run operators -- add "Name"'];
  return operators.flatMap(({ id, name, role }) => [
    `${name}, ${role} (${id})`,
    ...tokens
      .filter((token) => token.operator_id === id)
      .map((token) => {
        const revoked =
          token.revoked_at === null ? "" : `, revoked ${token.revoked_at.toISOString()}`;
        return `  ${token.prefix}… (${token.id}), issued ${token.created_at.toISOString()}${revoked}`;
      }),
  ]);
}
