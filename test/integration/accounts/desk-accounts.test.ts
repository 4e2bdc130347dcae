import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { readAccountSecret } from "../../../infra/start/local-product.ts";
import { API_KEY, issueKey } from "../../../services/domain/account/rules/api-key.ts";
import { rotateAccountSecret } from "../../../services/domain/webhook/store/account-secrets.ts";
import { createSecretBox } from "../../../services/platform/secret-box.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { openAccountDesk, type AccountDesk } from "../../support/product/account-desk.ts";
import { startKeysApi, type AccountService } from "../../support/product/account-services.ts";

const REASON = { reason: "unpaid" };
const ABSENT_ID = "01890000-0000-7000-8000-000000000000";

let desk: AccountDesk;
let apis: AccountService[];

beforeAll(async () => {
  desk = await openAccountDesk();
  apis = await Promise.all([1, 2, 3].map(() => startKeysApi(desk.databaseUrl)));
});

describe("the desk's accounts", () => {
  it("are created with a working first key, shown once", async () => {
    const made = await desk.ask("/accounts", "POST", { name: "Acme" });
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
    const read = await desk.ask(`/accounts/${id}`);
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
    const older = await desk.newAccount("Older");
    const newer = await desk.newAccount("Newer");
    const listed = await desk.ask("/accounts?limit=2");
    expect(dataOf(listed).map((row) => row["id"])).toEqual([newer.id, older.id]);
    expect(listed.body?.["has_more"]).toBe(true);
    const next = await desk.ask(`/accounts?limit=1&starting_after=${newer.id}`);
    expect(dataOf(next).map((row) => row["id"])).toEqual([older.id]);
    expect((await desk.ask(`/accounts?starting_after=${ABSENT_ID}`)).status).toBe(400);
  });

  it("need an operator's token, and a name of 1 to 128 characters", async () => {
    const body = { name: "No" };
    const path = `${desk.url}/desk/v1/accounts`;
    expect((await call(path, { method: "POST", body })).status).toBe(401);
    expect((await call(path, { method: "POST", body, key: desk.first.api_key })).status).toBe(401);
    for (const name of ["", "n".repeat(129)]) {
      expect((await desk.ask("/accounts", "POST", { name })).status).toBe(422);
    }
    for (const path of [`/accounts/${ABSENT_ID}`, "/accounts/nonsense"]) {
      expect((await desk.ask(path)).status).toBe(404);
    }
    expect((await desk.ask(`/accounts/${ABSENT_ID}/suspend`, "POST", REASON)).status).toBe(404);
  });

  it("are found by a part of their name, their id and their status, and renamed", async () => {
    const [found, other] = [
      await desk.newAccount("Zebra_1 Ltd"),
      await desk.newAccount("ZebraX1 Ltd"),
    ];
    const idsOf = async (query: string) =>
      dataOf(await desk.ask(`/accounts?${query}`)).map((account) => account["id"]);
    expect(await idsOf("q=zebra")).toEqual([other.id, found.id]);
    // Not a pattern: the underscore stands for itself.
    expect(await idsOf("q=ZEBRA_1")).toEqual([found.id]);
    expect(await idsOf(`q=${found.id.toUpperCase()}`)).toEqual([found.id]);
    await desk.ask(`/accounts/${other.id}/suspend`, "POST", REASON);
    expect(await idsOf("q=zebra&status=suspended")).toEqual([other.id]);
    expect(await idsOf("q=zebra&status=active")).toEqual([found.id]);
    expect(await idsOf("q=zebra&status=active&status=suspended")).toHaveLength(2);
    expect((await desk.ask("/accounts?status=closed")).status).toBe(400);

    const renamed = await desk.ask(`/accounts/${found.id}`, "PATCH", { name: "Gnu Ltd" });
    expect([renamed.status, renamed.body?.["name"]]).toEqual([200, "Gnu Ltd"]);
    expect(await idsOf("q=zebra")).toEqual([other.id]);
    const audit = await desk.ask(`/audit?account_id=${found.id}&action=account.renamed`);
    expect(dataOf(audit)).toMatchObject([
      { before: { name: "Zebra_1 Ltd" }, after: { name: "Gnu Ltd" } },
    ]);
    expect((await desk.ask(`/accounts/${found.id}`, "PATCH", {})).status).toBe(422);
    expect((await desk.ask(`/accounts/${ABSENT_ID}`, "PATCH", { name: "x" })).status).toBe(404);
    expect((await desk.ask(`/accounts/${ABSENT_ID}`, "PATCH", {})).status).toBe(404);
  });

  it("have addresses and kinds of notices by mail", async () => {
    const { id } = await desk.newAccount("Noticed");
    const path = `/accounts/${id}/notice_settings`;
    const kinds = {
      fix_needed: true,
      date_confirmed: true,
      numbers_live: true,
      port_out_decision: true,
      endpoint_paused: true,
    };
    expect((await desk.ask(path)).body).toEqual({ emails: [], kinds });
    const emails = ["a@example.com", "b@example.com"];
    const given = { emails: [...emails, "a@example.com"], kinds: { numbers_live: false } };
    const changed = await desk.ask(path, "PATCH", given);
    expect([changed.status, changed.body]).toEqual([
      200,
      { emails, kinds: { ...kinds, numbers_live: false } },
    ]);
    await desk.ask(path, "PATCH", { kinds: { fix_needed: false } });
    expect((await desk.ask(path)).body).toEqual({
      emails,
      kinds: { ...kinds, numbers_live: false, fix_needed: false },
    });
    const audit = await desk.ask(`/audit?account_id=${id}&action=account.notices_changed`);
    expect(dataOf(audit)).toMatchObject([
      { after: { kinds_off: ["fix_needed", "numbers_live"] } },
      { before: { emails: [], kinds_off: [] }, after: { emails, kinds_off: ["numbers_live"] } },
    ]);
    for (const wrong of [
      "a@example.com\r\nBcc: c@example.com",
      "A <a@example.com>",
      "a@example.com,b@example.com",
      "a b@example.com",
    ]) {
      expect((await desk.ask(path, "PATCH", { emails: [wrong] })).status).toBe(422);
    }
    const six = Array.from({ length: 6 }, (_, n) => `${n}@example.com`);
    expect((await desk.ask(path, "PATCH", { emails: six })).status).toBe(422);
    expect((await desk.ask(path, "PATCH", { kinds: { all: false } })).status).toBe(422);
    expect((await desk.ask(`/accounts/${ABSENT_ID}/notice_settings`)).status).toBe(404);
    const absent = await desk.ask(`/accounts/${ABSENT_ID}/notice_settings`, "PATCH", { emails });
    expect(absent.status).toBe(404);
  });

  it("are suspended for a reason", async () => {
    const { id } = await desk.newAccount("Reasoned");
    for (const body of [{}, { reason: "" }]) {
      expect((await desk.ask(`/accounts/${id}/suspend`, "POST", body)).status).toBe(422);
    }
    expect((await desk.ask(`/accounts/${ABSENT_ID}/suspend`, "POST", {})).status).toBe(404);
  });

  it("get, list and lose keys at the desk, the last active one excepted", async () => {
    const { id, key: first } = await desk.newAccount("Keys");
    const path = `/accounts/${id}/api_keys`;
    const issued = await desk.ask(path, "POST", { name: "second" });
    expect([issued.status, issued.headers.get("cache-control")]).toEqual([201, "no-store"]);
    const keyId = textOf(issued, "id");
    expect(issued.headers.get("location")).toBe(`/desk/v1${path}/${keyId}`);
    const statusOf = async (key: string) =>
      (await call(`${apis[0]?.url ?? ""}/v2/api_keys`, { key })).status;
    const second = textOf(issued, "key");
    expect(await statusOf(second)).toBe(200);
    const listed = await desk.ask(path);
    expect(JSON.stringify(listed.body)).not.toContain(second);
    expect(dataOf(listed).map((one) => one["name"])).toEqual(["second", null]);
    const firstId = String(dataOf(listed)[1]?.["id"]);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect((await desk.ask(`${path}/${firstId}`, "DELETE")).status).toBe(204);
    }
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    const last = await desk.ask(`${path}/${keyId}`, "DELETE");
    expect([last.status, last.body?.["code"]]).toEqual([409, "last_active_key"]);
    const { id: otherId } = await desk.newAccount("Other keys");
    expect((await desk.ask(`/accounts/${otherId}/api_keys/${keyId}`, "DELETE")).status).toBe(404);
    expect((await desk.ask(`/accounts/${ABSENT_ID}/api_keys`)).status).toBe(404);
    expect((await desk.ask(`/accounts/${ABSENT_ID}/api_keys`, "POST", { name: "" })).status).toBe(
      404,
    );
    expect((await desk.ask(`/accounts/${ABSENT_ID}/api_keys`, "POST", {})).status).toBe(404);
    const actions = dataOf(await desk.ask(`/audit?account_id=${id}`)).map((one) => one["action"]);
    expect(actions).toEqual(["api_key.revoked", "api_key.issued", "account.created"]);
  });

  it("are refused with 403 in every process once suspended, until reinstated", async () => {
    const { id, key } = await desk.newAccount("Suspended");
    const everywhere = async () => {
      const answers = await Promise.all(apis.map(({ url }) => call(`${url}/v2/api_keys`, { key })));
      return answers.map(({ status, body }) => [status, body?.["code"]]);
    };
    const fine = apis.map(() => [200, undefined]);
    expect(await everywhere()).toEqual(fine);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const suspended = await desk.ask(`/accounts/${id}/suspend`, "POST", REASON);
      expect([suspended.status, suspended.body?.["status"]]).toEqual([200, "suspended"]);
      expect((await desk.ask(`/accounts/${id}`)).body?.["suspension"]).toEqual({
        reason: REASON.reason,
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        operator: { id: expect.any(String), name: expect.any(String) },
      });
      expect(await everywhere()).toEqual(apis.map(() => [403, "account_suspended"]));
    }
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const reinstated = await desk.ask(`/accounts/${id}/reinstate`, "POST", {});
      expect([reinstated.status, reinstated.body?.["status"]]).toEqual([200, "active"]);
      expect(await everywhere()).toEqual(fine);
    }
  });
});

describe("the secret of the first account, in npm start's credentials", () => {
  it("is made where there is none, kept, and shown as rotated", async () => {
    const box = createSecretBox([randomBytes(32)]);
    const read = () => readAccountSecret(desk.databaseUrl, desk.first.api_key, box);
    const secret = await read();
    expect(secret).toMatch(/^whsec_/);
    expect(await read()).toBe(secret);
    const accountId = String(dataOf(await desk.ask("/accounts?q=first%20account"))[0]?.["id"]);
    const context = { accountId, box, now: new Date() };
    const rotated = await rotateAccountSecret(desk.pool, context, 0);
    expect(await read()).toBe(rotated.secret);
    const unknown = issueKey(API_KEY).key;
    await expect(readAccountSecret(desk.databaseUrl, unknown, box)).rejects.toThrow("not valid");
  });
});
