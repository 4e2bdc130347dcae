import { join } from "node:path";
import { roleOf } from "../../services/messages/bus/topic-rights.ts";
import { ensurePasswords, type Passwords } from "../local-stack/kept-passwords.ts";
import { LOGIN_ROLES, loginUrl } from "../migrate/login-roles.ts";
import type { StartConfig } from "./config.ts";
import type { ServiceName } from "./supervisor/service-table.ts";

/** Those with reads that may lag. */
const READ_REPLICA: readonly ServiceName[] = ["api", "desk"];

/** How the services log in to Postgres. */
export interface DatabaseAccess {
  readonly passwords: Passwords;
  /** A service gets its own login alone, and none where it has no database. */
  variablesOf(service: ServiceName, databaseUrl: string): NodeJS.ProcessEnv;
}

/** A login for each service, with a password that later starts keep; in another Postgres, that of DATABASE_URL. */
export function prepareDatabaseAccess({ dataDir, existing }: StartConfig): DatabaseAccess {
  const isOurs = existing.databaseUrl === undefined;
  const passwords = isOurs
    ? ensurePasswords(join(dataDir, "postgres-logins.json"), LOGIN_ROLES)
    : {};
  const urlOf = (service: ServiceName, databaseUrl: string): string | undefined => {
    const role = roleOf(service);
    if (role === null) return undefined;
    return isOurs ? loginUrl(databaseUrl, role, passwords) : databaseUrl;
  };
  return {
    passwords,
    variablesOf: (service, databaseUrl) => ({
      DATABASE_URL: urlOf(service, databaseUrl),
      // It may have a login in it.
      ...(READ_REPLICA.includes(service) ? {} : { DATABASE_READ_URL: undefined }),
      ...(service === "outbox-relay" ? {} : { DATABASE_REPLICATION_URL: undefined }),
    }),
  };
}
