import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { ensureFirstAccess } from "../../../infra/start/credentials.ts";
import { call, dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { startAccountDesk, type AccountService } from "../../support/product/account-services.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";

const ABSENT_ID = "0198c0de-0000-7000-8000-00000000dead";

let desk: AccountService;
let token: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  desk = await startAccountDesk(database.url);
  token = (await ensureFirstAccess(database.url, null)).desk_token;
});

type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Requests with an operator's token. */
function as(key: string, url = desk.url): Ask {
  return (method, path, body) => call(`${url}/desk/v1${path}`, { method, key, body });
}

const ask: Ask = (...request) => as(token)(...request);

async function add(name: string, role: string): Promise<string> {
  return textOf(await ask("POST", "/operators", { name, role }), "id");
}

async function tokenOf(id: string): Promise<{ id: string; token: string }> {
  const issued = await ask("POST", `/operators/${id}/tokens`, {});
  return { id: textOf(issued, "id"), token: textOf(issued, "token") };
}

async function latest(action: string): Promise<Record<string, unknown>> {
  const [entry] = dataOf(await ask("GET", `/audit?action=${action}&limit=1`));
  return entry ?? {};
}

async function shown(id: string): Promise<Record<string, unknown> | undefined> {
  return dataOf(await ask("GET", "/operators?limit=250")).find((one) => one["id"] === id);
}

const tokens = z.array(z.looseObject({ id: z.string(), revoked_at: z.string().nullable() }));
const listed = z.object({ tokens });

describe("an admin", () => {
  it("adds an operator, who is a reviewer by default and has no access yet", async () => {
    const made = await ask("POST", "/operators", { name: "  Ann Smith " });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      name: "Ann Smith",
      role: "reviewer",
      active: true,
      created_at: expect.any(String),
      tokens: [],
    });
    const id = textOf(made, "id");
    expect(await shown(id)).toEqual(made.body);
    expect(await latest("operator.added")).toMatchObject({
      operator: { name: "First operator" },
      after: { operator: { id, name: "Ann Smith" }, role: "reviewer", active: true },
    });
    const again = await ask("POST", "/operators", { name: "Ann Smith", role: "viewer" });
    expect([again.status, again.body?.["code"]]).toEqual([409, "invalid_state"]);
    for (const body of [
      {},
      { name: " " },
      { name: "A".repeat(129) },
      { name: "B", role: "boss" },
    ]) {
      expect((await ask("POST", "/operators", body)).status).toBe(422);
    }
  });

  it("issues a token that is shown once, and revokes it", async () => {
    const id = await add("Bob", "lead");
    const issued = await ask("POST", `/operators/${id}/tokens`, {});
    expect([issued.status, issued.headers.get("cache-control")]).toEqual([201, "no-store"]);
    const own = textOf(issued, "token");
    expect(own).toMatch(/^nps_desk_[0-9A-Za-z]{38}$/);
    const me = await as(own)("GET", "/me");
    expect(me.body).toEqual({ id, name: "Bob", role: "lead" });
    const {
      tokens: [record, ...others],
    } = listed.parse(await shown(id));
    expect(others).toEqual([]);
    expect({ ...record, token: own }).toEqual(issued.body);
    expect(record).toMatchObject({ prefix: own.slice(0, 14), revoked_at: null });
    const operator = { id, name: "Bob" };
    const before = { operator, token_id: record?.id, prefix: own.slice(0, 14) };
    expect(await latest("operator_token.issued")).toMatchObject({ after: before });

    const path = `/operators/${id}/tokens/${record?.id}`;
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect((await ask("DELETE", path)).status).toBe(204);
      expect((await as(own)("GET", "/me")).status).toBe(401);
    }
    const revoked = dataOf(await ask("GET", "/audit?action=operator_token.revoked"));
    expect(revoked).toHaveLength(1);
    expect(revoked[0]).toMatchObject({ before, after: { revoked_at: expect.any(String) } });
    const [kept] = tokens.parse((await shown(id))?.["tokens"]);
    expect(kept?.revoked_at).not.toBeNull();
    const log = JSON.stringify((await ask("GET", "/audit?limit=250")).body);
    expect(log).not.toContain(own.slice(14));
  });

  it("finds neither another operator's token nor an operator who is not there", async () => {
    const [one, two] = [await add("One", "viewer"), await add("Two", "viewer")];
    const own = await tokenOf(one);
    for (const path of [
      `/operators/${two}/tokens/${own.id}`,
      `/operators/${one}/tokens/${ABSENT_ID}`,
    ]) {
      expect((await ask("DELETE", path)).status).toBe(404);
    }
    expect((await as(own.token)("GET", "/me")).status).toBe(200);
    expect((await ask("POST", `/operators/${ABSENT_ID}/tokens`, {})).status).toBe(404);
    for (const body of [{ active: false }, { role: "boss" }]) {
      expect((await ask("PATCH", `/operators/${ABSENT_ID}`, body)).status).toBe(404);
    }
  });

  it("changes name, role and access, which counts from the operator's next request", async () => {
    const id = await add("Cleo", "viewer");
    const own = await tokenOf(id);
    const renamed = await ask("PATCH", `/operators/${id}`, { name: "Cleo Grey", role: "admin" });
    expect(renamed.body).toMatchObject({ id, name: "Cleo Grey", role: "admin", active: true });
    expect(await latest("operator.changed")).toMatchObject({
      before: { operator: { id, name: "Cleo" }, role: "viewer" },
      after: { operator: { id, name: "Cleo Grey" }, role: "admin" },
    });
    expect((await as(own.token)("GET", "/operators")).status).toBe(200);
    const off = await ask("PATCH", `/operators/${id}`, { active: false });
    expect(off.body).toMatchObject({ active: false, tokens: [{ id: own.id, revoked_at: null }] });
    expect(await latest("operator.changed")).toMatchObject({
      before: { operator: { id, name: "Cleo Grey" }, active: true },
      after: { operator: { id, name: "Cleo Grey" }, active: false },
    });
    expect((await as(own.token)("GET", "/me")).status).toBe(401);
    const issued = await ask("POST", `/operators/${id}/tokens`, {});
    expect([issued.status, issued.body?.["code"]]).toEqual([409, "invalid_state"]);
    expect((await ask("PATCH", `/operators/${id}`, { active: true })).status).toBe(200);
    expect((await as(own.token)("GET", "/me")).status).toBe(200);
  });

  it("leaves no audit entry for a change that changes nothing", async () => {
    const id = await add("Same", "viewer");
    for (const body of [{}, { name: "Same" }, { role: "viewer", active: true }]) {
      expect((await ask("PATCH", `/operators/${id}`, body)).status).toBe(200);
    }
    expect((await latest("operator.changed"))["after"]).not.toMatchObject({ operator: { id } });
    await add("Other", "viewer");
    const taken = await ask("PATCH", `/operators/${id}`, { name: "Other" });
    expect([taken.status, taken.body?.["code"]]).toEqual([409, "invalid_state"]);
    expect((await shown(id))?.["name"]).toBe("Same");
  });
});

describe("the last active admin", () => {
  /** A desk of its own, whose first operator is its only admin. */
  async function openOwn() {
    const database = await createTestDatabase();
    const own = await startAccountDesk(database.url);
    const { desk_token: key } = await ensureFirstAccess(database.url, null);
    const at = as(key, own.url);
    return { url: own.url, at, first: textOf(await at("GET", "/me"), "id") };
  }

  it("can neither lose the role nor be deactivated, nor can two admins end each other's", async () => {
    const { url, at, first } = await openOwn();
    for (const body of [{ role: "lead" }, { active: false }, { role: "viewer", active: false }]) {
      const refused = await at("PATCH", `/operators/${first}`, body);
      expect([refused.status, refused.body?.["code"]]).toEqual([409, "invalid_state"]);
    }
    expect((await at("PATCH", `/operators/${first}`, { name: "Only" })).status).toBe(200);
    const second = textOf(await at("POST", "/operators", { name: "Second", role: "admin" }), "id");
    const inactive = textOf(await at("POST", "/operators", { name: "Third", role: "admin" }), "id");
    expect((await at("PATCH", `/operators/${inactive}`, { active: false })).status).toBe(200);
    const key = textOf(await at("POST", `/operators/${second}/tokens`, {}), "token");
    const both = await Promise.all([
      at("PATCH", `/operators/${second}`, { role: "viewer" }),
      as(key, url)("PATCH", `/operators/${first}`, { active: false }),
    ]);
    // The later one is the last, or has lost the role or access by which it asked.
    const statuses = both.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect([409, 403, 401]).toContain(statuses.find((status) => status !== 200));
  });
});
