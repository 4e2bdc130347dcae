/** @tier all */
import { execFile } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { databaseUrl, withConnection } from "../../../infra/local-stack/postgres.ts";
import { LOGIN_ROLES } from "../../../infra/migrate/login-roles.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { descendantsOf, npmStart, type NpmStart } from "../../support/programs/npm-start.ts";

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const dataDir = temporaryFolder("start");
const SLOW_MS = 240_000;

/** Brings an order to completed, with a document and a letter. */
async function walk({ credentials }: NpmStart, phone_number: string): Promise<void> {
  const { api_url: apiUrl, desk_url: deskUrl, api_key: key, desk_token: deskToken } = credentials;
  const orders = `${apiUrl}/v2/porting_orders`;
  const body = { phone_numbers: [phone_number] };
  const made = await call(orders, { method: "POST", key, body });
  const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
  await fulfilOrder({ apiUrl, apiKey: key }, orderId);
  await submitOrder({ apiUrl, apiKey: key }, orderId);
  await confirmAtDesk({ deskUrl, deskToken }, orderId);
  await eventually(async () => {
    const order = await call(`${orders}/${orderId}`, { key });
    expect(order.body?.["status"]).toBe("completed");
  });
}

async function loginsOf({ credentials }: NpmStart): Promise<string[]> {
  const { rows } = await withConnection(credentials.database_url, (client) =>
    client.query<{ usename: string }>(
      `select distinct usename from pg_stat_activity
        where datname in ('porting', 'registry') and pid <> pg_backend_pid() and usename is not null`,
    ),
  );
  return rows.map(({ usename }) => usename).sort();
}

function rootProcesses({ pid }: NpmStart): string[] {
  if (process.platform !== "linux") return [];
  const below = descendantsOf(pid);
  expect(below.length).toBeGreaterThan(12);
  return below.filter(({ uid }) => uid === 0).map(({ command }) => command);
}

/** The state in which a version without logins of the services, run as root, left its data folder. */
async function makeOld({ credentials }: NpmStart): Promise<void> {
  const { database_url: url } = credentials;
  await withConnection(url, async (client) => {
    for (const role of LOGIN_ROLES) await client.query(`alter role ${role} nologin password null`);
    await client.query("alter database registry owner to postgres");
    await client.query("grant connect on database registry to public");
  });
  await withConnection(databaseUrl(url, "registry"), (client) =>
    client.query("reassign owned by porting_registry to postgres"),
  );
}

async function makeOldFiles(): Promise<void> {
  rmSync(join(dataDir, "postgres-logins.json"));
  if (!isRoot) return;
  for (const name of ["kafka", "documents"]) {
    await run("chown", ["-R", "root:root", join(dataDir, name)]);
  }
}

describe("npm start", () => {
  it(
    "runs nothing as root, and no service with the owner's login, also on the data of an older version",
    async () => {
      const first = await npmStart(dataDir);
      expect(first.output()).toContain(first.credentials.api_key);
      expect(first.output()).toContain(first.credentials.desk_token);
      await walk(first, "+12125550143");
      expect(await loginsOf(first)).toEqual([...LOGIN_ROLES].sort());
      if (isRoot) expect(rootProcesses(first)).toEqual([]);
      expect(statSync(join(dataDir, "postgres-logins.json")).mode & 0o777).toBe(0o600);
      await makeOld(first);
      await first.stop();
      await makeOldFiles();

      const second = await npmStart(dataDir);
      expect(second.credentials.api_key).toBe(first.credentials.api_key);
      expect(second.output()).not.toContain(second.credentials.api_key);
      expect(second.output()).not.toContain(second.credentials.desk_token);
      expect(second.output()).toContain(join(dataDir, "credentials.json"));
      await walk(second, "+12125550144");
      expect(await loginsOf(second)).toEqual([...LOGIN_ROLES].sort());
      if (isRoot) expect(rootProcesses(second)).toEqual([]);
    },
    SLOW_MS,
  );
});
