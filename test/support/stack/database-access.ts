import { LOGIN_ROLES, loginUrl, type RolePasswords } from "../../../infra/migrate/login-roles.ts";
import { roleOf } from "../../../services/messages/bus/topic-rights.ts";
import { TEST_USERS } from "./kafka-access.ts";

const serviceOf = (role: string): string => role.slice("porting_".length).replaceAll("_", "-");

/** The logins of every Postgres of the tests; a service has the same password for Kafka. */
const TEST_PASSWORDS: RolePasswords = Object.fromEntries(
  LOGIN_ROLES.map((role) => [role, `password-of-${serviceOf(role)}`]),
);

/** Who may log in to a stack of the tests. */
export const TEST_LOGINS = { kafkaUsers: TEST_USERS, rolePasswords: TEST_PASSWORDS };

/** The database's URL with the login of a role. */
export function urlAs(role: string, databaseUrl: string): string {
  return loginUrl(databaseUrl, role, TEST_PASSWORDS);
}

/** The variable by which a service logs in to a database of the tests; undefined for one without a database. */
export function databaseVariablesOf(service: string, databaseUrl: string): NodeJS.ProcessEnv {
  const role = roleOf(service);
  return { DATABASE_URL: role === null ? undefined : urlAs(role, databaseUrl) };
}
