import { createHash, createHmac, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { SERVICE_ROLES } from "../../services/messages/bus/topic-rights.ts";
import { databaseUrl, ensureDatabase, withConnection } from "../local-stack/postgres.ts";
import { RELAY_ROLE } from "./require-server.ts";

/** The role, and the database, of the schema registry. */
export const REGISTRY_ROLE = "porting_registry";
const REGISTRY_DATABASE = "registry";

/** Everybody but the owner who logs in to the product's Postgres. */
export const LOGIN_ROLES = [...SERVICE_ROLES, REGISTRY_ROLE] as const;

/** Passwords by role; a role without one cannot log in. */
export type RolePasswords = Readonly<Partial<Record<string, string>>>;

const LOGINS_LOCK = 7_202_613;
const ITERATIONS = 4_096;
const SHA256_BYTES = 32;

const derive = promisify(pbkdf2);

/** Lets roles log in with these passwords, and creates those that are missing; may be repeated. */
export async function admitLogins(url: string, passwords: RolePasswords): Promise<void> {
  const verifiers = await Promise.all(
    Object.entries(passwords).map(async ([role, password = ""]) => ({
      role,
      verifier: await verifierOf(password),
    })),
  );
  if (verifiers.length === 0) return;
  await withConnection(url, async (client) => {
    await client.query("begin");
    // Two that change the same role at the same time would fail.
    await client.query("select pg_advisory_xact_lock($1)", [LOGINS_LOCK]);
    const found = await client.query<{ rolname: string }>("select rolname from pg_roles");
    const existing = new Set(found.rows.map(({ rolname }) => rolname));
    for (const { role, verifier } of verifiers) {
      const verb = existing.has(role) ? "alter" : "create";
      const name = client.escapeIdentifier(role);
      const rights = role === RELAY_ROLE ? "login replication" : "login";
      await client.query(
        `${verb} role ${name} ${rights} password ${client.escapeLiteral(verifier)}`,
      );
    }
    await client.query("commit");
  });
}

/** What the server stores of a password (RFC 5803), so that the password itself gets into none of its logs. */
async function verifierOf(password: string): Promise<string> {
  const salt = randomBytes(16);
  const salted = await derive(password, salt, ITERATIONS, SHA256_BYTES, "sha256");
  const keyFor = (text: string) => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(keyFor("Client Key")).digest("base64");
  const server = keyFor("Server Key").toString("base64");
  const saltedBy = `${ITERATIONS}:${salt.toString("base64")}`;
  return ["SCRAM-SHA-256", saltedBy, `${stored}:${server}`].join("$");
}

/** Tables and sequences that another role owns; a sequence of a column follows its table. */
const TAKE_OVER = `do $$
  declare one record;
  begin
    for one in
      select c.oid::regclass as name,
        case c.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end as kind
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
        and c.relowner <> '${REGISTRY_ROLE}'::regrole
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass
          and d.objid = c.oid and d.refclassid = d.classid and d.deptype in ('a', 'i'))
    loop
      execute format('alter %s %s owner to ${REGISTRY_ROLE}', one.kind, one.name);
    end loop;
  end $$`;

/**
 * Creates the registry's database where it is missing, and gives it with everything in it to the registry's role, which
 * must exist; nobody else may connect to it. Returns its URL for the login of `url`.
 */
export async function giveRegistryItsDatabase(url: string): Promise<string> {
  const own = await ensureRegistryDatabase(url);
  await withConnection(own, async (client) => {
    await client.query(`alter database ${REGISTRY_DATABASE} owner to ${REGISTRY_ROLE}`);
    await client.query(`revoke all on database ${REGISTRY_DATABASE} from public`);
    await client.query(TAKE_OVER);
  });
  return own;
}

/** Creates the registry's database where it is missing, and returns its URL. */
export async function ensureRegistryDatabase(url: string): Promise<string> {
  await ensureDatabase(url, REGISTRY_DATABASE);
  return databaseUrl(url, REGISTRY_DATABASE);
}

/** The URL with the login of a role. @throws {TypeError} where the role has no password */
export function loginUrl(url: string, role: string, passwords: RolePasswords): string {
  const password = passwords[role];
  if (password === undefined) throw new TypeError(`${role} has no password`);
  const own = new URL(url);
  own.username = role;
  own.password = password;
  return own.href;
}
