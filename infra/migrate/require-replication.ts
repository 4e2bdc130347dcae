import type pg from "pg";
import { constraintOf } from "../../services/platform/db/database-fault.ts";
import { replicationClient } from "../../services/platform/db/replication.ts";
import { AppError } from "../../services/platform/errors.ts";
import { connectionFault } from "./connection-fault.ts";

/** Whoever reads the outbox from the log of the database. */
export const RELAY_ROLE = "porting_outbox_relay";

/** Who may read the log: the attribute, or what managed servers give in its place. */
export const MAY_REPLICATE = `(r.rolsuper or r.rolreplication or exists (
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
export async function requireReadableLog(client: pg.Client): Promise<void> {
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
