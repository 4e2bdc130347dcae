import { beforeAll, describe, expect, it } from "@jest/globals";
import { ensureFirstAccess } from "../../infra/start/credentials.ts";
import { DESK_SESSION, issueKey } from "../../services/domain/account/rules/api-key.ts";
import { call, dataOf, type Answer, type Call } from "../support/http/call.ts";
import { startAccountDesk, type AccountService } from "../support/product/account-services.ts";
import { cookieOf, postToken, signIn, type DeskSession } from "../support/product/desk-session.ts";
import { createTestDatabase } from "../support/stack/test-stack.ts";

const NEW_ACCOUNT = { method: "POST", body: { name: "Forged" } };

let databaseUrl: string;
let desk: AccountService;
let token: string;
let session: DeskSession;

beforeAll(async () => {
  databaseUrl = (await createTestDatabase()).url;
  desk = await startAccountDesk(databaseUrl);
  token = (await ensureFirstAccess(databaseUrl, null)).desk_token;
  session = await signIn(desk.url, token);
});

function ask(path: string, options: Call): Promise<Answer> {
  return call(`${desk.url}/desk/v1${path}`, options);
}

async function forgedAccounts(): Promise<number> {
  return dataOf(await ask("/accounts?q=Forged", { key: token })).length;
}

/** A request is refused with 403 and changes nothing. */
async function expectForbidden(headers: Record<string, string>, detail: string): Promise<void> {
  const refused = await ask("/accounts", { ...NEW_ACCOUNT, headers });
  expect([refused.status, refused.body?.["code"]]).toEqual([403, "forbidden"]);
  expect(refused.body?.["detail"]).toContain(detail);
  expect(await forgedAccounts()).toBe(0);
}

describe("a page elsewhere that has an operator's browser send a request", () => {
  const port = (): string => new URL(desk.url).port;

  it.each([
    ["of another site", () => "https://evil.example"],
    ["at another port of the desk's host, whose cookies it shares", () => "http://127.0.0.1:1"],
    ["at another name of the machine", () => `http://localhost:${port()}`],
    ["in a sandboxed frame", () => "null"],
    ["at the desk's host with TLS, where the desk has none", () => `https://127.0.0.1:1`],
  ])("is refused %s, even with the right Desk-CSRF", async (_, origin) => {
    const { cookie: Cookie, csrf } = session;
    await expectForbidden({ Cookie, "Desk-CSRF": csrf, Origin: origin() }, "Origin");
  });

  it("is refused without an Origin, as a form of an old browser may send it", async () => {
    const { cookie: Cookie, csrf } = session;
    await expectForbidden({ Cookie, "Desk-CSRF": csrf }, "Origin");
  });

  it("is refused without Desk-CSRF, and with that of another session or a token in its place", async () => {
    const other = await signIn(desk.url, token);
    const own = { Cookie: session.cookie, Origin: desk.url };
    await expectForbidden(own, "Desk-CSRF");
    for (const csrf of ["", other.csrf, token, session.cookie, `${session.csrf} x`]) {
      await expectForbidden({ ...own, "Desk-CSRF": csrf }, "Desk-CSRF");
    }
  });

  it("cannot sign the operator out, nor change or remove anything", async () => {
    const headers = { Cookie: session.cookie, Origin: "https://evil.example" };
    const id = "0198c0de-0000-7000-8000-000000000001";
    for (const [method, path, body] of [
      ["DELETE", "/session"],
      ["PATCH", `/operators/${id}`, { active: false }],
      ["DELETE", `/operators/${id}/tokens/${id}`],
      ["POST", "/no/such/route", {}],
    ] as const) {
      expect((await ask(path, { method, headers, body })).status).toBe(403);
    }
    expect((await session.ask("/me")).status).toBe(200);
  });

  it("cannot sign the browser in as somebody else", async () => {
    for (const Origin of ["https://evil.example", "null", "http://127.0.0.1:1"]) {
      const answer = await postToken(desk.url, token, { Origin });
      expect([answer.status, answer.body?.["code"]]).toEqual([403, "forbidden"]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect((await postToken(desk.url, token, { Origin: desk.url })).status).toBe(201);
  });

  it("is given no answer to read", async () => {
    const headers = { Cookie: session.cookie, Origin: "https://evil.example" };
    const read = await ask("/accounts", { headers });
    expect(read.headers.get("access-control-allow-origin")).toBeNull();
    const preflight = await ask("/accounts", { method: "OPTIONS", headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      405,
      null,
    ]);
  });
});

describe("a desk with a public URL", () => {
  it("accepts that origin alone, whatever Host the request names", async () => {
    const publicUrl = "https://desk.example.com";
    const behindProxy = await startAccountDesk(databaseUrl, { publicUrl });
    const { ask: askProxied } = await signIn(behindProxy.url, token, { Origin: publicUrl });
    const own = { headers: { Origin: publicUrl } };
    expect((await askProxied("/operators", { method: "POST", body: {}, ...own })).status).toBe(422);
    const direct = await askProxied("/accounts", NEW_ACCOUNT);
    expect([direct.status, await forgedAccounts()]).toEqual([403, 0]);
    expect(direct.body?.["detail"]).toContain("PUBLIC_DESK_URL");
  });
});

describe("somebody who plants or steals a cookie", () => {
  it("cannot fix a session: signing in makes a new one and ends the one that was there", async () => {
    const planted = issueKey(DESK_SESSION).key;
    const answer = await postToken(desk.url, token, { Cookie: `__Host-desk=${planted}` });
    expect(answer.status).toBe(201);
    expect(cookieOf(answer)).not.toContain(planted);
    expect((await ask("/me", { headers: { Cookie: `__Host-desk=${planted}` } })).status).toBe(401);

    const first = await signIn(desk.url, token);
    const second = await signIn(desk.url, token, { Cookie: first.cookie });
    expect(second.cookie).not.toBe(first.cookie);
    expect((await first.ask("/me")).status).toBe(401);
    expect((await second.ask("/me")).status).toBe(200);
  });

  it("is refused with a cookie of another host's desk, of another name, or a token in it", async () => {
    const { cookie } = session;
    const elsewhere = await startAccountDesk((await createTestDatabase()).url);
    for (const [at, Cookie] of [
      [elsewhere.url, cookie],
      [desk.url, cookie.replace("__Host-", "")],
      [desk.url, cookie.replace("__Host-", "__host-")],
      [desk.url, `${cookie}0`],
      [desk.url, "__Host-desk="],
      [desk.url, `__Host-desk=${token}`],
    ] as const) {
      const answer = await call(`${at}/desk/v1/me`, { headers: { Cookie } });
      expect([answer.status, answer.body?.["code"]]).toEqual([401, "unauthorized"]);
    }
  });

  it("cannot use a session as a token, which would need no Desk-CSRF", async () => {
    const stolen = session.cookie.replace("__Host-desk=", "");
    for (const headers of [{ Authorization: `Bearer ${stolen}` }, { "X-API-Key": stolen }]) {
      expect((await ask("/accounts", { ...NEW_ACCOUNT, headers })).status).toBe(401);
    }
    const both = { Cookie: session.cookie, Authorization: "Bearer wrong" };
    expect((await ask("/me", { headers: both })).status).toBe(401);
  });
});

describe("somebody who guesses tokens", () => {
  it("has 10 failures a minute, then 429, in every process; keys of the API count apart", async () => {
    const other = await startAccountDesk(databaseUrl);
    const guess = (url: string): Promise<Answer> => postToken(url, "nps_desk_wrong");
    const statuses: number[] = [];
    for (let tries = 0; tries < 10; tries += 1) {
      statuses.push((await guess(tries % 2 === 0 ? desk.url : other.url)).status);
    }
    expect(statuses).toEqual(statuses.map(() => 401));
    for (const url of [desk.url, other.url]) {
      const refused = await guess(url);
      expect([refused.status, refused.body?.["code"]]).toEqual([429, "rate_limited"]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const { rows } = await desk.pool.query<{ owner: string }>(
      "select owner from messaging.rate_buckets",
    );
    expect(rows).toEqual([{ owner: expect.stringMatching(/^desk-address:/) }]);
    expect((await postToken(desk.url, token)).status).toBe(201);
    expect((await session.ask("/me")).status).toBe(200);
  });
});
