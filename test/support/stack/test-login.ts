import { randomBytes } from "node:crypto";
import { databaseUrl, withConnection } from "../../../infra/local-stack/postgres.ts";
import { ROLES } from "../../../infra/migrate/migrations/grants.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

export interface TestLogin {
  readonly name: string;
  /** The database's URL with this login. */
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a login for the database of `url`; dropped after the tests. */
export async function createLogin(url: string): Promise<TestLogin> {
  // The test's database may be dropped before the login.
  const admin = databaseUrl(url, "postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const password = randomBytes(12).toString("hex");
  await withConnection(admin, (client) =>
    client.query(`create role ${name} login password '${password}'`),
  );
  const own = new URL(url);
  own.username = name;
  own.password = password;
  const drop = endAfterTests(async () => {
    await withConnection(admin, (client) => client.query(`drop role ${name}`));
  });
  return { name, url: own.href, drop };
}

/** Lets a login assume the roles of the migrations; it has none of their rights until it does. */
export async function letAssumeRoles(url: string, login: TestLogin): Promise<void> {
  await withConnection(url, (client) =>
    client.query(`grant ${ROLES.join(", ")} to ${login.name} with inherit false, set true`),
  );
}
