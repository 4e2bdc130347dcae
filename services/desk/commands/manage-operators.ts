import type { Pool } from "pg";
import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";
import {
  findOperatorNamed,
  hasOperators,
  listOperators,
  lockOperatorTokens,
  type OperatorRow,
} from "../../domain/account/store/operators.ts";
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { ByOperator } from "../access/desk-routes.ts";
import {
  addNamedOperator,
  changeOperator,
  issueToken,
  revokeLocked,
  type OperatorChanges,
} from "../operators/change-operator.ts";

/** The commands of `npm run operators`; each returns the lines to print, or throws an AppError whose message is printed. */
export interface OperatorCommands {
  /** Without a role the first operator is an admin and any other a reviewer. */
  add(name: string, role?: OperatorRole): Promise<string[]>;
  role(name: string, role: OperatorRole): Promise<string[]>;
  deactivate(name: string): Promise<string[]>;
  activate(name: string): Promise<string[]>;
  token(name: string): Promise<string[]>;
  revoke(prefixOrId: string): Promise<string[]>;
  list(): Promise<string[]>;
}

interface Deps {
  readonly pool: Pool;
  readonly clock: Clock;
}

const MAX_NAME = 128;

export function operatorCommands(deps: Deps): OperatorCommands {
  return {
    add: (name, role) => add(deps, { name: name.trim(), role }),
    role: (name, role) => change(deps, name, { role }),
    deactivate: (name) => change(deps, name, { active: false }),
    activate: (name) => change(deps, name, { active: true }),
    token: (name) => issue(deps, name),
    revoke: (prefixOrId) => revoke(deps, prefixOrId.trim()),
    list: () => list(deps.pool),
  };
}

/** The command line has no operator: whoever can run it has access to the database already. */
function byCommandLine({ clock }: Deps): ByOperator {
  return { at: clock.now(), operator: { id: null, name: "command line" } };
}

async function add(
  deps: Deps,
  { name, ...given }: { readonly name: string; readonly role: OperatorRole | undefined },
): Promise<string[]> {
  if (name === "" || name.length > MAX_NAME) {
    throw new AppError("validation_failed", `A name must have 1 to ${MAX_NAME} characters.`);
  }
  const role = given.role ?? ((await hasOperators(deps.pool)) ? "reviewer" : "admin");
  const { id } = await addNamedOperator(deps.pool, { name, role }, byCommandLine(deps));
  return [
    `${name} is an operator now, with the role ${role} (${id}).`,
    `Issue a token: npm run operators -- token "${name}"`,
  ];
}

async function change(deps: Deps, name: string, changes: OperatorChanges): Promise<string[]> {
  const { id } = await requireNamed(deps, name);
  const changed = await changeOperator(deps.pool, { id, changes }, byCommandLine(deps));
  return [lineOf(changed)];
}

async function issue(deps: Deps, name: string): Promise<string[]> {
  const { id } = await requireNamed(deps, name);
  const { token } = await issueToken(deps.pool, id, byCommandLine(deps));
  return [token, "The token is not shown again."];
}

async function requireNamed({ pool }: Deps, given: string): Promise<OperatorRow> {
  const name = given.trim();
  const operator = await findOperatorNamed(pool, name);
  if (operator === null) throw new AppError("not_found", `There is no operator named ${name}.`);
  return operator;
}

async function revoke(deps: Deps, prefixOrId: string): Promise<string[]> {
  const by = byCommandLine(deps);
  return inTransaction(deps.pool, (tx) => revokeOne(tx, prefixOrId, by));
}

async function revokeOne(tx: Queryable, prefixOrId: string, by: ByOperator): Promise<string[]> {
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
  await revokeLocked(tx, found, by);
  return [`${found.prefix}… (${found.id}) is revoked.`];
}

async function list(pool: Pool): Promise<string[]> {
  const { operators, tokens } = await listOperators(pool);
  if (operators.length === 0) return ['There is no operator yet: npm run operators -- add "Name"'];
  return operators.flatMap((operator) => [
    lineOf(operator),
    ...tokens
      .filter((token) => token.operator_id === operator.id)
      .map((token) => {
        const revoked =
          token.revoked_at === null ? "" : `, revoked ${token.revoked_at.toISOString()}`;
        return `  ${token.prefix}… (${token.id}), issued ${token.created_at.toISOString()}${revoked}`;
      }),
  ]);
}

function lineOf({ id, name, role, active }: OperatorRow): string {
  return `${name}, ${role}${active ? "" : ", deactivated"} (${id})`;
}
