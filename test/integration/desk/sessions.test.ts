import { beforeAll, describe, expect, it } from "@jest/globals";
import { ensureFirstAccess } from "../../../infra/start/credentials.ts";
import { hashKey } from "../../../services/domain/account/rules/api-key.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { operatorCommands } from "../../../services/desk/commands/manage-operators.ts";
import { startSessions } from "../../../services/desk/session/routes.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { startAccountDesk, type AccountService } from "../../support/product/account-services.ts";
import { cookieOf, postToken, signIn } from "../../support/product/desk-session.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";

const MINUTE_MS = 60_000;
const START = new Date("2026-03-02T09:00:00.000Z");

/** The desk's own clock, which the tests put forward. */
let now = START;
const clock = { now: () => now };
const later = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

let desk: AccountService;
let token: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  desk = await startAccountDesk(database.url, { clock });
  token = (await ensureFirstAccess(database.url, null)).desk_token;
});

/** How many sessions the database holds, and how many that were used at a time. */
async function countSessions(usedAt: Date | null = null): Promise<number> {
  const { rowCount } = await desk.pool.query(
    "select from accounts.operator_sessions where used_at = $1 or $1 is null",
    [usedAt],
  );
  return rowCount ?? 0;
}

async function auditOf(action: string): Promise<Record<string, unknown>[]> {
  const path = `${desk.url}/desk/v1/audit?action=${action}`;
  return dataOf(await call(path, { key: token }));
}

describe("POST /desk/v1/session", () => {
  it("opens a session of the token's operator, with a cookie that no script reads", async () => {
    const answer = await postToken(desk.url, token);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      operator: { id: expect.any(String), name: "First operator", role: "admin" },
      expires_at: new Date(now.getTime() + 12 * 60 * MINUTE_MS).toISOString(),
      csrf: expect.stringMatching(/^[\w-]{43}$/),
    });
    const [set = "", ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(set).toMatch(/^__Host-desk=nps_sess_[0-9A-Za-z]{38}; /);
    expect(set.split("; ").slice(1).toSorted()).toEqual([
      "HttpOnly",
      "Path=/",
      "SameSite=Strict",
      "Secure",
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("stores the SHA-256 of the session and no part of it", async () => {
    const { cookie } = await signIn(desk.url, token);
    const session = cookie.replace("__Host-desk=", "");
    const { rows } = await desk.pool.query<{ row: string }>(
      "select s::text as row from accounts.operator_sessions s where token_hash = $1",
      [hashKey(session)],
    );
    expect(rows).toEqual([{ row: expect.any(String) }]);
    expect(rows[0]?.row).not.toContain(session.slice(9));
  });

  it("refuses what is not a valid token with 401, and a body that is not one with 422", async () => {
    for (const wrong of ["x", token.slice(0, -1), `${token}0`, token.replace("desk", "live")]) {
      const answer = await postToken(desk.url, wrong);
      expect([answer.status, answer.body?.["code"]]).toEqual([401, "unauthorized"]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const url = `${desk.url}/desk/v1/session`;
    for (const body of [{}, { token: "" }, { token, more: 1 }]) {
      expect((await call(url, { method: "POST", body })).status).toBe(422);
    }
  });

  it("leaves an audit entry for signing in and one for signing out", async () => {
    const { ask } = await signIn(desk.url, token);
    const me = await ask("/me");
    const [signedIn] = await auditOf("session.signed_in");
    const operator = { id: me.body?.["id"], name: "First operator" };
    const ids = { session_id: expect.any(String), token_id: expect.any(String) };
    expect(signedIn).toMatchObject({ operator, before: null, after: ids });
    expect((await ask("/session", { method: "DELETE" })).status).toBe(204);
    const [signedOut] = await auditOf("session.signed_out");
    expect(signedOut).toMatchObject({ operator, before: ids, after: null });
  });
});

describe("a session", () => {
  it("reads without more, and changes with the desk's own Origin and Desk-CSRF", async () => {
    const { cookie, ask } = await signIn(desk.url, token);
    const read = await call(`${desk.url}/desk/v1/accounts`, { headers: { Cookie: cookie } });
    expect(read.status).toBe(200);
    const made = await ask("/accounts", { method: "POST", body: { name: "By cookie" } });
    expect(made.status).toBe(201);
  });

  it("gets its CSRF token by GET /me, so that a page that is loaded again goes on", async () => {
    const { csrf, ask } = await signIn(desk.url, token);
    const me = await ask("/me");
    expect(me.body).toEqual({
      id: expect.any(String),
      name: "First operator",
      role: "admin",
      csrf,
    });
    const byToken = await call(`${desk.url}/desk/v1/me`, { key: token });
    expect(byToken.body).toEqual({ id: me.body?.["id"], name: "First operator", role: "admin" });
  });

  it("ends by DELETE, which removes the cookie too; a token stays valid", async () => {
    const { ask } = await signIn(desk.url, token);
    const other = await signIn(desk.url, token);
    const out = await ask("/session", { method: "DELETE" });
    expect(out.status).toBe(204);
    expect(cookieOf(out)).toBe("__Host-desk=");
    expect(out.headers.getSetCookie()[0]).toContain("Max-Age=0");
    expect((await ask("/me")).status).toBe(401);
    expect((await other.ask("/me")).status).toBe(200);
    const url = `${desk.url}/desk/v1`;
    expect((await call(`${url}/session`, { method: "DELETE", key: token })).status).toBe(204);
    expect((await call(`${url}/me`, { key: token })).status).toBe(200);
  });

  it("ends 12 hours after it began, however much it is used", async () => {
    const { ask, expiresAt } = await signIn(desk.url, token);
    while (now.getTime() + 50 * MINUTE_MS < expiresAt.getTime()) {
      later(50 * MINUTE_MS);
      expect((await ask("/me")).status).toBe(200);
    }
    now = new Date(expiresAt.getTime() - 1);
    expect((await ask("/me")).status).toBe(200);
    now = expiresAt;
    expect((await ask("/me")).status).toBe(401);
  });

  it("ends after 60 minutes without a request", async () => {
    const { ask } = await signIn(desk.url, token);
    later(60 * MINUTE_MS - 1);
    expect((await ask("/me")).status).toBe(200);
    later(60 * MINUTE_MS - 1);
    expect((await ask("/me")).status).toBe(200);
    later(60 * MINUTE_MS);
    expect((await ask("/me")).status).toBe(401);
    expect((await ask("/accounts")).status).toBe(401);
  });

  it("is written to at most once a minute", async () => {
    later(MINUTE_MS);
    const { ask } = await signIn(desk.url, token);
    const began = now;
    for (const ms of [1, 30_000, 29_998]) {
      later(ms);
      expect((await ask("/me")).status).toBe(200);
    }
    expect(await countSessions(began)).toBe(1);
    later(1);
    expect((await ask("/me")).status).toBe(200);
    expect([await countSessions(began), await countSessions(now)]).toEqual([0, 1]);
  });

  it("is deleted when it has ended", async () => {
    later(13 * 60 * MINUTE_MS);
    const { ask } = await signIn(desk.url, token);
    const log = createLogger("test", "silent");
    expect(await countSessions()).toBeGreaterThan(1);
    const sessions = startSessions({ db: desk.pool, clock, log });
    await eventually(async () => expect(await countSessions()).toBe(1));
    await sessions.stop();
    expect((await ask("/me")).status).toBe(200);
  });
});

describe("a session ends with the next request", () => {
  const commands = () => operatorCommands({ ...desk, clock });

  it("where its token is revoked, and no other token's does", async () => {
    await commands().add("Rea", "viewer");
    const [first = ""] = await commands().token("Rea");
    const [second = ""] = await commands().token("Rea");
    const [one, two] = [await signIn(desk.url, first), await signIn(desk.url, second)];
    await commands().revoke(first.slice(0, 14));
    expect((await one.ask("/me")).status).toBe(401);
    expect((await two.ask("/me")).status).toBe(200);
  });

  it("where its operator is deactivated, and stays ended when the operator is activated", async () => {
    await commands().add("Dee", "viewer");
    const [own = ""] = await commands().token("Dee");
    const { ask } = await signIn(desk.url, own);
    await commands().deactivate("Dee");
    expect((await ask("/me")).status).toBe(401);
    expect((await postToken(desk.url, own)).status).toBe(401);
    await commands().activate("Dee");
    expect((await ask("/me")).status).toBe(401);
    expect((await postToken(desk.url, own)).status).toBe(201);
  });

  it("as what its operator may do changes", async () => {
    await commands().add("Cas", "admin");
    const [own = ""] = await commands().token("Cas");
    const { ask } = await signIn(desk.url, own);
    expect((await ask("/operators")).status).toBe(200);
    await commands().role("Cas", "viewer");
    const refused = await ask("/operators");
    expect([refused.status, refused.body?.["code"]]).toEqual([403, "forbidden"]);
    expect(textOf(await ask("/me"), "role")).toBe("viewer");
  });
});
