import type pg from "pg";
import { constraintOf } from "../../services/platform/db/database-fault.ts";
import { replicationClient } from "../../services/platform/db/replication.ts";
import { AppError } from "../../services/platform/errors.ts";
import { withConnection } from "../local-stack/postgres.ts";
import { ROLES } from "./migrations/grants.ts";

const BY_STATE: Readonly<Record<string, string>> = {
  "28P01": "Postgres refuses the user or the password of DATABASE_URL.",
  "28000": "Postgres does not let the user of DATABASE_URL log in to this database from here.",
  "3D000": "Postgres has no database of the name in DATABASE_URL: create it first.",
  "42501": "The user of DATABASE_URL may not connect to this database.",
  "53300": "Postgres has no connection left: its max_connections are in use.",
};

const BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND: "The host of DATABASE_URL has no address.",
  EAI_AGAIN: "The host of DATABASE_URL cannot be looked up at the moment.",
  ECONNREFUSED: "Nothing listens at the host and port of DATABASE_URL.",
  ETIMEDOUT: "The host of DATABASE_URL does not answer.",
  EHOSTUNREACH: "The host of DATABASE_URL cannot be reached.",
  ENETUNREACH: "The host of DATABASE_URL cannot be reached.",
  ENOENT: "A file that DATABASE_URL names, such as sslrootcert, does not exist.",
  CERT_HAS_EXPIRED: "The certificate of Postgres has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate of Postgres is for another host.",
};

const NO_TLS =
  "Postgres does not encrypt, and DATABASE_URL asks for it by sslmode: turn TLS on there, or take sslmode=disable on a network of your own.";
const NEEDS_TLS = "Postgres admits encrypted connections alone: append ?sslmode=require.";
const UNTRUSTED =
  "The certificate of Postgres is not trusted: name its authority by sslrootcert in DATABASE_URL, or take sslmode=require, which does not verify it.";

/** Why a first connection failed, in a sentence without the URL, which has a password; anything else unchanged. */
export function connectionFault(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof AppError) return cause;
  const text = textOf(cause);
  return text === null ? cause : new AppError("invalid_config", text, { cause });
}

function textOf(error: Error): string | null {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (/no pg_hba\.conf entry.*no encryption/.test(error.message)) return NEEDS_TLS;
  if (/server does not support SSL/.test(error.message)) return NO_TLS;
  if (/SELF_SIGNED|UNABLE_TO|CERT_UNTRUSTED|CERT_SIGNATURE/.test(code)) return UNTRUSTED;
  if (/timeout expired|Connection terminated due to connection timeout/.test(error.message)) {
    return BY_CODE["ETIMEDOUT"] ?? null;
  }
  const first = error instanceof AggregateError ? (error.errors as unknown[])[0] : null;
  return BY_STATE[code] ?? BY_CODE[code] ?? (first instanceof Error ? textOf(first) : null);
}

/** Whoever reads the outbox from the log of the database. */
export const RELAY_ROLE = "porting_outbox_relay";

/** Who may read the log: the attribute, or what managed servers give in its place. */
const MAY_REPLICATE = `(r.rolsuper or r.rolreplication or exists (
    select from pg_roles p where p.rolname = 'rds_replication' and pg_has_role(r.oid, p.oid, 'MEMBER')))`;

export interface LogAccess {
  readonly wal_level: string;
  readonly login: string;
  /** Whether this login may let the relay's role replicate. */
  readonly grants: boolean;
  readonly login_replicates: boolean;
  readonly relay_replicates: boolean;
}

const ACCESS = `select current_setting('wal_level') as wal_level, quote_ident(r.rolname) as login,
    r.rolsuper or (r.rolcreaterole and r.rolreplication) as grants, ${MAY_REPLICATE} as login_replicates,
    exists (select from pg_roles r where r.rolname = '${RELAY_ROLE}' and ${MAY_REPLICATE}) as relay_replicates
  from pg_roles r where r.rolname = current_user`;

/** @throws `invalid_config` where the outbox could not be read from this server's log */
async function requireReadableLog(client: pg.Client): Promise<void> {
  const { rows } = await client.query<LogAccess>(ACCESS);
  if (rows[0] !== undefined) requireLogAccess(rows[0]);
}

/** @throws `invalid_config` with what to change */
export function requireLogAccess(access: LogAccess): void {
  const { wal_level, login, grants, login_replicates, relay_replicates } = access;
  if (wal_level !== "logical") {
    throw invalid(
      `This Postgres has wal_level=${wal_level}, and messages are read from its log: run alter system set wal_level = logical (a managed server has a parameter of its own, such as rds.logical_replication) and restart it. Nothing was changed.`,
    );
  }
  if (grants || login_replicates || relay_replicates) return;
  throw invalid(
    `Nobody may read the log of this Postgres: have a superuser run alter role ${RELAY_ROLE} replication; or, where all services share one login, alter role ${login} replication; (on a managed server, grant the provider's role for it, such as rds_replication). Nothing was changed.`,
  );
}

/** Tries what the relay does. @throws `invalid_config` where this login, at this address, cannot read the log */
export async function requireReplicationLogin(url: string): Promise<void> {
  const client = replicationClient({ url, service: "check" });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
  } catch (error) {
    throw replicationFault(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Why a connection that reads the log is refused, in a sentence; another fault as for any connection. */
export function replicationFault(error: unknown): unknown {
  const state = constraintOf(error)?.state ?? "";
  switch (state) {
    case "08P01":
      return invalid(
        "DATABASE_URL leads to a pooler, such as PgBouncer, which passes no connection that reads the log: name Postgres itself by DATABASE_REPLICATION_URL. Nothing was changed.",
        error,
      );
    case "42501":
      return invalid(
        "The login by which messages are read from the log of Postgres, that of DATABASE_REPLICATION_URL or else DATABASE_URL, may not do so: have a superuser run alter role … replication; for it (on a managed server, grant the provider's role for it, such as rds_replication). Nothing was changed.",
        error,
      );
    default:
      return connectionFault(error);
  }
}

function invalid(detail: string, cause?: unknown): AppError {
  return new AppError("invalid_config", detail, cause === undefined ? {} : { cause });
}

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
