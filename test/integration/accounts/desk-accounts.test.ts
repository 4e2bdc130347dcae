import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { ensureFirstAccess, type FirstAccess } from "../../../infra/start/first-access.ts";
import { readAccountSecret } from "../../../infra/start/first-account-secret.ts";
import { API_KEY, issueKey } from "../../../services/domain/account/rules/api-key.ts";
import { rotateAccountSecret } from "../../../services/domain/webhook/store/account-secrets.ts";
import { createSecretBox } from "../../../services/platform/secret-box.ts";
import { writeAudit } from "../../../services/domain/account/store/audit-log.ts";
import { inEntityTransaction } from "../../../services/platform/db/data-source.ts";
import {
  startAccountDesk,
  startKeysApi,
  type AccountService,
} from "../../support/product/account-services.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

const REASON = { reason: "unpaid" };
const ABSENT_ID = "01890000-0000-7000-8000-000000000000";

let database: TestDatabase;
let first: FirstAccess;
let desk: AccountService;
let apis: AccountService[];

beforeAll(async () => {
  database = await createTestDatabase();
  first = await ensureFirstAccess(database.url, null);
  desk = await startAccountDesk(database.url);
  apis = await Promise.all([1, 2, 3].map(() => startKeysApi(database.url)));
});

function atDesk(path: string, method = "GET", body?: unknown) {
  return call(`${desk.url}/desk/v1${path}`, { method, key: first.desk_token, body });
}

async function newAccount(name: string): Promise<{ id: string; key: string }> {
  const made = await atDesk("/accounts", "POST", { name });
  return { id: textOf(made, "id"), key: textOf(made, "api_key") };
}

describe("the desk's accounts", () => {
  it("are created with a working first key, shown once", async () => {
    const made = await atDesk("/accounts", "POST", { name: "Acme" });
    expect(made.status).toBe(201);
    expect(Object.keys(made.body ?? {}).sort()).toEqual([
      "api_key",
      "created_at",
      "id",
      "name",
      "status",
      "webhook_signing_secret",
    ]);
    expect(textOf(made, "webhook_signing_secret")).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made.body).toMatchObject({ name: "Acme", status: "active" });
    expect(made.headers.get("cache-control")).toBe("no-store");
    const id = textOf(made, "id");
    expect(made.headers.get("location")).toBe(`/desk/v1/accounts/${id}`);
    const key = textOf(made, "api_key");
    expect((await call(`${apis[0]?.url ?? ""}/v2/api_keys`, { key })).status).toBe(200);
    const read = await atDesk(`/accounts/${id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual({
      id,
      name: "Acme",
      status: "active",
      created_at: made.body?.["created_at"],
      suspension: null,
      counts: {
        orders_by_status: [],
        open_cases: 0,
        numbers: 0,
        open_port_outs: 0,
        api_keys: 1,
        webhook_endpoints: 0,
        paused_webhook_endpoints: 0,
        waiting_deliveries: 0,
      },
    });
  });

  it("are listed newest first", async () => {
    const older = await newAccount("Older");
    const newer = await newAccount("Newer");
    const listed = await atDesk("/accounts?limit=2");
    expect(dataOf(listed).map((row) => row["id"])).toEqual([newer.id, older.id]);
    expect(listed.body?.["has_more"]).toBe(true);
    const next = await atDesk(`/accounts?limit=1&starting_after=${newer.id}`);
    expect(dataOf(next).map((row) => row["id"])).toEqual([older.id]);
    expect((await atDesk(`/accounts?starting_after=${ABSENT_ID}`)).status).toBe(400);
  });

  it("need an operator's token, and a name of 1 to 128 characters", async () => {
    const body = { name: "No" };
    const path = `${desk.url}/desk/v1/accounts`;
    expect((await call(path, { method: "POST", body })).status).toBe(401);
    expect((await call(path, { method: "POST", body, key: first.api_key })).status).toBe(401);
    for (const name of ["", "n".repeat(129)]) {
      expect((await atDesk("/accounts", "POST", { name })).status).toBe(422);
    }
    for (const path of [`/accounts/${ABSENT_ID}`, "/accounts/nonsense"]) {
      expect((await atDesk(path)).status).toBe(404);
    }
    expect((await atDesk(`/accounts/${ABSENT_ID}/suspend`, "POST", REASON)).status).toBe(404);
  });

  it("are found by a part of their name, their id and their status, and renamed", async () => {
    const [found, other] = [await newAccount("Zebra_1 Ltd"), await newAccount("ZebraX1 Ltd")];
    const idsOf = async (query: string) =>
      dataOf(await atDesk(`/accounts?${query}`)).map((account) => account["id"]);
    expect(await idsOf("q=zebra")).toEqual([other.id, found.id]);
    // Not a pattern: the underscore stands for itself.
    expect(await idsOf("q=ZEBRA_1")).toEqual([found.id]);
    expect(await idsOf(`q=${found.id.toUpperCase()}`)).toEqual([found.id]);
    await atDesk(`/accounts/${other.id}/suspend`, "POST", REASON);
    expect(await idsOf("q=zebra&status=suspended")).toEqual([other.id]);
    expect(await idsOf("q=zebra&status=active")).toEqual([found.id]);
    expect(await idsOf("q=zebra&status=active&status=suspended")).toHaveLength(2);
    expect((await atDesk("/accounts?status=closed")).status).toBe(400);

    const renamed = await atDesk(`/accounts/${found.id}`, "PATCH", { name: "Gnu Ltd" });
    expect([renamed.status, renamed.body?.["name"]]).toEqual([200, "Gnu Ltd"]);
    expect(await idsOf("q=zebra")).toEqual([other.id]);
    const audit = await atDesk(`/audit?account_id=${found.id}&action=account.renamed`);
    expect(dataOf(audit)).toMatchObject([
      { before: { name: "Zebra_1 Ltd" }, after: { name: "Gnu Ltd" } },
    ]);
    expect((await atDesk(`/accounts/${found.id}`, "PATCH", {})).status).toBe(422);
    expect((await atDesk(`/accounts/${ABSENT_ID}`, "PATCH", { name: "x" })).status).toBe(404);
    expect((await atDesk(`/accounts/${ABSENT_ID}`, "PATCH", {})).status).toBe(404);
  });

  it("are suspended for a reason", async () => {
    const { id } = await newAccount("Reasoned");
    for (const body of [{}, { reason: "" }]) {
      expect((await atDesk(`/accounts/${id}/suspend`, "POST", body)).status).toBe(422);
    }
    expect((await atDesk(`/accounts/${ABSENT_ID}/suspend`, "POST", {})).status).toBe(404);
  });

  it("get, list and lose keys at the desk, the last active one excepted", async () => {
    const { id, key: first } = await newAccount("Keys");
    const path = `/accounts/${id}/api_keys`;
    const issued = await atDesk(path, "POST", { name: "second" });
    expect([issued.status, issued.headers.get("cache-control")]).toEqual([201, "no-store"]);
    const keyId = textOf(issued, "id");
    expect(issued.headers.get("location")).toBe(`/desk/v1${path}/${keyId}`);
    const statusOf = async (key: string) =>
      (await call(`${apis[0]?.url ?? ""}/v2/api_keys`, { key })).status;
    const second = textOf(issued, "key");
    expect(await statusOf(second)).toBe(200);
    const listed = await atDesk(path);
    expect(JSON.stringify(listed.body)).not.toContain(second);
    expect(dataOf(listed).map((one) => one["name"])).toEqual(["second", null]);
    const firstId = String(dataOf(listed)[1]?.["id"]);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect((await atDesk(`${path}/${firstId}`, "DELETE")).status).toBe(204);
    }
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    const last = await atDesk(`${path}/${keyId}`, "DELETE");
    expect([last.status, last.body?.["code"]]).toEqual([409, "last_active_key"]);
    const { id: otherId } = await newAccount("Other keys");
    expect((await atDesk(`/accounts/${otherId}/api_keys/${keyId}`, "DELETE")).status).toBe(404);
    expect((await atDesk(`/accounts/${ABSENT_ID}/api_keys`)).status).toBe(404);
    expect((await atDesk(`/accounts/${ABSENT_ID}/api_keys`, "POST", { name: "" })).status).toBe(
      404,
    );
    expect((await atDesk(`/accounts/${ABSENT_ID}/api_keys`, "POST", {})).status).toBe(404);
    const actions = dataOf(await atDesk(`/audit?account_id=${id}`)).map((one) => one["action"]);
    expect(actions).toEqual(["api_key.revoked", "api_key.issued", "account.created"]);
  });

  it("are refused with 403 in every process once suspended, until reinstated", async () => {
    const { id, key } = await newAccount("Suspended");
    const everywhere = async () => {
      const answers = await Promise.all(apis.map(({ url }) => call(`${url}/v2/api_keys`, { key })));
      return answers.map(({ status, body }) => [status, body?.["code"]]);
    };
    const fine = apis.map(() => [200, undefined]);
    expect(await everywhere()).toEqual(fine);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const suspended = await atDesk(`/accounts/${id}/suspend`, "POST", REASON);
      expect([suspended.status, suspended.body?.["status"]]).toEqual([200, "suspended"]);
      expect((await atDesk(`/accounts/${id}`)).body?.["suspension"]).toEqual({
        reason: REASON.reason,
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        operator: { id: expect.any(String), name: expect.any(String) },
      });
      expect(await everywhere()).toEqual(apis.map(() => [403, "account_suspended"]));
    }
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const reinstated = await atDesk(`/accounts/${id}/reinstate`, "POST", {});
      expect([reinstated.status, reinstated.body?.["status"]]).toEqual([200, "active"]);
      expect(await everywhere()).toEqual(fine);
    }
  });
});

describe("the secret of the first account, in npm start's credentials", () => {
  it("is made where there is none, kept, and shown as rotated", async () => {
    const box = createSecretBox([randomBytes(32)]);
    const read = () => readAccountSecret(database.url, first.api_key, box);
    const secret = await read();
    expect(secret).toMatch(/^whsec_/);
    expect(await read()).toBe(secret);
    const accountId = String(dataOf(await atDesk("/accounts?q=first%20account"))[0]?.["id"]);
    const context = { accountId, box, now: new Date() };
    const rotated = await rotateAccountSecret(desk.pool, context, 0);
    expect(await read()).toBe(rotated.secret);
    const unknown = issueKey(API_KEY).key;
    await expect(readAccountSecret(database.url, unknown, box)).rejects.toThrow("not valid");
  });
});

describe("the audit log", () => {
  // (docs/contract/desk-api.md, Desk API: operators' side, served by requirement-review)
  it("says who reinstated an account", async () => {
    const { id } = await newAccount("Unpaid");
    await atDesk(`/accounts/${id}/suspend`, "POST", REASON);
    await atDesk(`/accounts/${id}/reinstate`, "POST", {});
    const { id: operatorId, name } = (await atDesk("/me")).body ?? {};
    const [entry] = dataOf(await atDesk(`/audit?account_id=${id}&limit=1`));
    expect(entry).toMatchObject({
      action: "account.reinstated",
      operator: { id: operatorId, name },
      before: { status: "suspended" },
      after: { status: "active" },
    });
  });

  it("records actor, action, time and account, with the values before and after", async () => {
    const { id } = await newAccount("Audited");
    const began = new Date().toISOString();
    await atDesk(`/accounts/${id}/suspend`, "POST", REASON);
    const me = await atDesk("/me");
    const listed = await atDesk(`/audit?account_id=${id}`);
    expect(dataOf(listed)).toMatchObject([
      {
        action: "account.suspended",
        operator: { id: me.body?.["id"], name: "First operator" },
        account_id: id,
        porting_order_id: null,
        before: { status: "active" },
        after: { status: "suspended", ...REASON },
      },
      { action: "account.created", before: null, after: { name: "Audited", status: "active" } },
    ]);
    const since = `created_after=${began}`;
    const bySince = await atDesk(`/audit?account_id=${id}&${since}`);
    expect(dataOf(bySince)).toHaveLength(1);
    const [newest] = dataOf(bySince);
    const older = await atDesk(`/audit?account_id=${id}&starting_after=${String(newest?.["id"])}`);
    expect(dataOf(older).map((row) => row["action"])).toEqual(["account.created"]);
    const none = await atDesk(`/audit?account_id=${id}&operator_id=${ABSENT_ID}`);
    expect(none.body).toEqual({ data: [], has_more: false });
    expect((await atDesk(`/audit?starting_after=${ABSENT_ID}`)).status).toBe(400);
    expect((await atDesk("/audit?account=x")).status).toBe(400);
  });

  it("is CSV where that is asked for, page by page", async () => {
    const { id } = await newAccount('=Quoted, "CSV"');
    await atDesk(`/accounts/${id}/suspend`, "POST", REASON);
    const asked = async (query: string, accept: string) => {
      const response = await fetch(`${desk.url}/desk/v1/audit?account_id=${id}${query}`, {
        headers: { Authorization: `Bearer ${first.desk_token}`, Accept: accept },
      });
      return { headers: response.headers, status: response.status, text: await response.text() };
    };
    const csv = await asked("", "text/csv");
    expect(csv.status).toBe(200);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(csv.headers.get("vary")).toContain("Accept");
    const [names, suspended, created, ...rest] = csv.text.split("\r\n");
    expect(names).toBe(
      "id,created_at,actor_type,api_key_id,operator_id,operator_name,action,account_id,porting_order_id,request_id,before,after",
    );
    expect(suspended).toContain(`,account.suspended,${id},`);
    expect(suspended).toMatch(
      /,"{""status"":""active""}","{""reason"":""unpaid"",""status"":""suspended""}"$/,
    );
    expect(created).toContain('""name"":""=Quoted, \\""CSV\\""""');
    expect(rest).toEqual([""]);
    const paged = await asked("&limit=1", "text/csv");
    expect(paged.text.trimEnd().split("\r\n")).toHaveLength(2);
    expect(paged.headers.get("link")).toContain("starting_after=");
    for (const accept of ["*/*", "application/json", "application/json, text/csv;q=0.5"]) {
      const { headers } = await asked("", accept);
      expect(headers.get("content-type")).toContain("application/json");
    }
    expect((await asked("", "text/html")).status).toBe(406);
  });

  it("finds actions on an order", async () => {
    const operator = { id: ABSENT_ID, name: "Ann" };
    const action = "porting_order.closed";
    await writeAudit(desk.pool, { at: new Date(), operator, action, portingOrderId: ABSENT_ID });
    const listed = await atDesk(`/audit?porting_order_id=${ABSENT_ID}&operator_id=${ABSENT_ID}`);
    expect(dataOf(listed).map((row) => row["action"])).toEqual([action]);
  });

  it("cannot be changed", async () => {
    for (const text of [
      "update accounts.audit_log set action = 'x'",
      "delete from accounts.audit_log",
    ]) {
      await expect(desk.pool.query(text)).rejects.toThrow("append-only");
    }
  });

  it("is written together with its effect or not at all", async () => {
    const count = () =>
      desk.pool.query("select id from accounts.audit_log").then(({ rowCount }) => rowCount);
    const earlier = await count();
    const operator = { id: null, name: "nobody" };
    const rolledBack = inEntityTransaction(desk.dataSource, async ({ tx }) => {
      await writeAudit(tx, { at: new Date(), operator, action: "account.created" });
      throw new Error("changed my mind");
    });
    await expect(rolledBack).rejects.toThrow("changed my mind");
    expect(await count()).toBe(earlier);
  });
});

describe("the entities", () => {
  it("match the tables of the migrations", async () => {
    const { upQueries } = await desk.dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });
});
