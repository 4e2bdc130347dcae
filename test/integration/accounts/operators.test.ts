import { beforeAll, describe, expect, it } from "@jest/globals";
import { ensureFirstAccess } from "../../../infra/start/credentials.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import {
  operatorCommands,
  type OperatorCommands,
} from "../../../services/desk/commands/manage-operators.ts";
import {
  startAccountDesk,
  startKeysApi,
  type AccountService,
} from "../../support/product/account-services.ts";
import { call } from "../../support/http/call.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

let database: TestDatabase;
let desk: AccountService;
let commands: OperatorCommands;

beforeAll(async () => {
  database = await createTestDatabase();
  desk = await startAccountDesk(database.url);
  commands = operatorCommands({ ...desk, clock: systemClock });
});

async function newToken(name: string): Promise<string> {
  const [token = ""] = await commands.token(name);
  return token;
}

function whoAmI(key: string) {
  return call(`${desk.url}/desk/v1/me`, { key });
}

describe("npm run operators", () => {
  it("adds a named person whose tokens work until each is revoked", async () => {
    await commands.add("Ann Smith", "reviewer");
    const [one, two] = [await newToken("Ann Smith"), await newToken("Ann Smith")];
    expect(one).toMatch(/^nps_desk_[0-9A-Za-z]{38}$/);
    for (const token of [one, two]) {
      const me = await whoAmI(token);
      expect([me.status, me.body?.["name"]]).toEqual([200, "Ann Smith"]);
    }
    await commands.revoke(one.slice(0, 14));
    expect((await whoAmI(one)).status).toBe(401);
    expect((await whoAmI(two)).status).toBe(200);
    expect((await commands.revoke(one.slice(0, 14))).join()).toContain("revoked already");
    const listed = (await commands.list()).join("\n");
    expect(listed).toContain("Ann Smith");
    expect(listed).toContain(two.slice(0, 14));
    expect(listed).not.toContain(two);
    const id = /\(([0-9a-f-]{36})\), issued [^,]*$/m.exec(listed)?.[1] ?? "";
    await commands.revoke(id);
    expect((await whoAmI(two)).status).toBe(401);
  });

  it("reports an invalid name or token", async () => {
    await commands.add("Bob", "reviewer");
    await expect(commands.add("Bob", "reviewer")).rejects.toMatchObject({ code: "invalid_state" });
    await expect(commands.add(" ", "reviewer")).rejects.toMatchObject({
      code: "validation_failed",
    });
    await expect(commands.token("Nobody")).rejects.toMatchObject({ code: "not_found" });
    await expect(commands.revoke("nps_desk_none0")).rejects.toMatchObject({ code: "not_found" });
  });

  it("writes audit entries without the token", async () => {
    await commands.add("Cleo", "reviewer");
    const token = await newToken("Cleo");
    const { rows } = await desk.pool.query<{ text: string }>(
      "select (a.action || ' ' || a.after::text) as text from accounts.audit_log a order by id desc limit 2",
    );
    const [issued = "", added = ""] = rows.map((row) => row.text);
    expect(issued).toContain(`operator_token.issued`);
    expect(issued).toContain(token.slice(0, 14));
    expect(issued).not.toContain(token.slice(14));
    expect(added).toContain("operator.added");
  });
});

describe("ensureFirstAccess", () => {
  async function freshDatabase(): Promise<{ own: TestDatabase; api: AccountService }> {
    const own = await createTestDatabase();
    return { own, api: await startKeysApi(own.url) };
  }

  it("keeps working credentials and replaces missing, unknown or revoked ones", async () => {
    const { own, api } = await freshDatabase();
    const first = await ensureFirstAccess(own.url, null);
    expect((await call(`${api.url}/v2/api_keys`, { key: first.api_key })).status).toBe(200);
    expect(await ensureFirstAccess(own.url, first)).toEqual(first);

    const second = await ensureFirstAccess(own.url, null);
    await api.pool.query("update accounts.api_keys set revoked_at = now() where prefix = $1", [
      first.api_key.slice(0, 14),
    ]);
    const third = await ensureFirstAccess(own.url, first);
    expect(third.desk_token).toBe(first.desk_token);
    expect(new Set([first.api_key, second.api_key, third.api_key]).size).toBe(3);
    const bad = await ensureFirstAccess(own.url, { api_key: "nonsense", desk_token: "" });
    expect((await call(`${api.url}/v2/api_keys`, { key: bad.api_key })).status).toBe(200);

    const { rows } = await api.pool.query<{ accounts: number; operators: number }>(
      `select (select count(*) from accounts.accounts) as accounts,
        (select count(*) from accounts.operators) as operators`,
    );
    expect(rows).toEqual([{ accounts: 1, operators: 1 }]);
  });

  it("creates one account and one operator when several run at once", async () => {
    const { own, api } = await freshDatabase();
    const got = await Promise.all([1, 2, 3, 4].map(() => ensureFirstAccess(own.url, null)));
    for (const { api_key } of got) {
      expect((await call(`${api.url}/v2/api_keys`, { key: api_key })).status).toBe(200);
    }
    const { rows } = await api.pool.query<{ name: string }>(
      "select name from accounts.accounts union all select name from accounts.operators",
    );
    expect(rows.map((row) => row.name)).toEqual(["First account", "First operator"]);
  });
});
