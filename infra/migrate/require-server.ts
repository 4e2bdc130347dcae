import type pg from "pg";
import { AppError } from "../../services/platform/errors.ts";
import { withConnection } from "../local-stack/postgres.ts";
import { connectionFault } from "./connection-fault.ts";
import { ROLES } from "./migrations/grants.ts";
import { requireReadableLog } from "./require-replication.ts";

const LOWEST_VERSION = 16;
/** Of two sessions, each asked in turn. */
const POOLER_ROUNDS = 5;

/**
 * Checks, before anything is changed, that the product can use this Postgres.
 * @throws `invalid_config` with a sentence
 */
export async function requireServer(databaseUrl: string): Promise<void> {
  requireUrl(databaseUrl);
  try {
    await withConnection(databaseUrl, (one) =>
      withConnection(databaseUrl, async (other) => {
        const { rows } = await one.query<{ version: string }>(
          "select current_setting('server_version') as version",
        );
        requireVersion(rows[0]?.version ?? "");
        const rounds: Round[] = [];
        for (let n = 0; n < POOLER_ROUNDS; n += 1) {
          rounds.push({ one: await pidOf(one), other: await pidOf(other) });
        }
        requireSessions(rounds);
        await requireReadableLog(one);
        requireRoles(await lackingRoles(one));
      }),
    );
  } catch (error) {
    throw connectionFault(error);
  }
}

/** @throws `invalid_config` */
export function requireUrl(databaseUrl: string): void {
  const scheme = URL.canParse(databaseUrl) ? new URL(databaseUrl).protocol : "";
  if (["postgres:", "postgresql:"].includes(scheme)) return;
  throw invalid("DATABASE_URL is not postgresql://user:password@host:port/database.");
}

/** Of `server_version`. @throws `invalid_config` */
export function requireVersion(version: string): void {
  if (Number.parseInt(version, 10) >= LOWEST_VERSION) return;
  throw invalid(
    `This is Postgres ${version}; ${LOWEST_VERSION} or newer is required. Nothing was changed.`,
  );
}

/** Which backend answered each of two sessions that are open at the same time. */
export interface Round {
  readonly one: number;
  readonly other: number;
}

/** @throws `invalid_config` where the sessions share a backend, or change theirs, as a pooler in transaction mode has it */
export function requireSessions(rounds: readonly Round[]): void {
  const [first] = rounds;
  const isPooled = rounds.some(
    ({ one, other }) => one === other || one !== first?.one || other !== first.other,
  );
  if (!isPooled) return;
  throw invalid(
    "DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer, which takes the settings and locks of a session away after each transaction: name Postgres itself, or a pooler in session mode. Nothing was changed.",
  );
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid ?? 0;
}

/** What the login can neither make nor assume. */
export interface LackingRoles {
  readonly login: string;
  readonly missing: readonly string[];
  readonly foreign: readonly string[];
}

const LACKING = `select quote_ident(current_user) as login,
    coalesce(array_agg(w.role) filter (where r.oid is null and not u.makes), '{}') as missing,
    coalesce(array_agg(w.role) filter (where not pg_has_role(r.oid, 'SET')
      and not pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION')), '{}') as foreign
  from unnest($1::text[]) w (role)
  left join pg_roles r on r.rolname = w.role
  cross join (select rolcreaterole or rolsuper as makes from pg_roles where rolname = current_user) u`;

async function lackingRoles(client: pg.Client): Promise<LackingRoles> {
  const { rows } = await client.query<LackingRoles>(LACKING, [[...ROLES]]);
  return rows[0] ?? { login: "", missing: [], foreign: [] };
}

/** @throws `invalid_config` with the statements for all of them */
export function requireRoles({ login, missing, foreign }: LackingRoles): void {
  const lacking = [...missing, ...foreign];
  if (lacking.length === 0) return;
  const statements = [
    ...missing.map((role) => `create role ${role} nologin;`),
    `grant ${lacking.join(", ")} to ${login};`,
  ];
  throw invalid(
    `This login can neither create nor assume ${lacking.length} roles. Migrate as a login with CREATEROLE, or have a superuser run:\n\n${statements.join("\n")}\n\nNothing was changed.`,
  );
}

function invalid(detail: string): AppError {
  return new AppError("invalid_config", detail);
}
