import { beforeAll, describe, expect, it } from "@jest/globals";
import { ensureFirstAccess } from "../../../infra/start/credentials.ts";
import { createAccount } from "../../../services/domain/account/store/accounts.ts";
import {
  issueApiKey,
  listApiKeys,
  revokeApiKey,
} from "../../../services/domain/account/store/api-keys.ts";
import { idRange } from "../../../services/platform/db/id-range.ts";
import { AppError } from "../../../services/platform/errors.ts";
import { API_KEY, issueKey } from "../../../services/domain/account/rules/api-key.ts";
import {
  startAccountDesk,
  startKeysApi,
  type AccountService,
} from "../../support/product/account-services.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

const RECORD = ["created_at", "id", "last_used_at", "name", "prefix", "revoked_at"];
interface Column {
  table_name: string;
  column_name: string;
  data_type: string;
}

const ABSENT_ID = "01890000-0000-7000-8000-000000000000";

let database: TestDatabase;
let apis: Awaited<ReturnType<typeof startKeysApi>>[];
let desk: AccountService;
let deskToken: string;

beforeAll(async () => {
  database = await createTestDatabase();
  deskToken = (await ensureFirstAccess(database.url, null)).desk_token;
  desk = await startAccountDesk(database.url);
  apis = await Promise.all([1, 2, 3].map(() => startKeysApi(database.url)));
});

function keysUrl(process = 0, path = ""): string {
  return `${apis[process]?.url ?? ""}/v2/api_keys${path}`;
}

/** A new account's first key. */
async function newAccount(): Promise<{ id: string; key: string }> {
  const made = await call(`${desk.url}/desk/v1/accounts`, {
    method: "POST",
    key: deskToken,
    body: { name: "An account" },
  });
  return { id: textOf(made, "id"), key: textOf(made, "api_key") };
}

async function issue(key: string, body: unknown = {}) {
  const answer = await call(keysUrl(), { method: "POST", key, body });
  return { answer, id: textOf(answer, "id"), key: textOf(answer, "key") };
}

describe("issuing a key", () => {
  it("answers 201 with the record and the key, shown once", async () => {
    const { key } = await newAccount();
    const { answer, id, key: issued } = await issue(key, { name: "billing" });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("location")).toBe(`/v2/api_keys/${id}`);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(Object.keys(answer.body ?? {}).sort()).toEqual([...RECORD, "key"].sort());
    expect(answer.body).toMatchObject({
      name: "billing",
      prefix: issued.slice(0, 14),
      last_used_at: null,
      revoked_at: null,
    });
    const listed = dataOf(await call(keysUrl(), { key: issued }));
    expect(listed.map((row) => Object.keys(row).sort())).toEqual([RECORD, RECORD]);
    expect(JSON.stringify(listed)).not.toContain(issued);
  });

  it("ends at 100 active ones, however many are asked for at once, until one is revoked", async () => {
    const { key } = await newAccount();
    const ask = () => call(keysUrl(), { method: "POST", key, body: {} });
    const made = await Promise.all(Array.from({ length: 110 }, ask));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(99);
    const refused = made.find(({ status }) => status !== 201);
    expect(refused).toMatchObject({ status: 409, body: { code: "quota_exceeded" } });
    const [first] = made.filter(({ status }) => status === 201);
    if (first === undefined) throw new Error("no key");
    await call(`${keysUrl()}/${textOf(first, "id")}`, { method: "DELETE", key });
    expect((await ask()).status).toBe(201);
  });

  it.each([{ name: "" }, { name: "n".repeat(65) }, { title: "x" }])(
    "refuses %j with 422",
    async (body) => {
      const { key } = await newAccount();
      const answer = await call(keysUrl(), { method: "POST", key, body });
      expect(answer.status).toBe(422);
      expect(answer.body?.["code"]).toBe("validation_failed");
    },
  );
});

describe("a request's key", () => {
  it("is accepted in either header", async () => {
    const { key } = await newAccount();
    for (const headers of [{ Authorization: `Bearer ${key}` }, { "X-API-Key": key }]) {
      expect((await call(keysUrl(), { headers })).status).toBe(200);
    }
  });

  it("is refused with the same answer when missing, malformed, unknown, revoked or an operator's", async () => {
    const { key } = await newAccount();
    const revoked = await issue(key);
    await call(keysUrl(0, `/${revoked.id}`), { method: "DELETE", key });
    const unknown = issueKey(API_KEY).key;
    const answers = await Promise.all(
      [undefined, "x", `${key}x`, unknown, revoked.key, deskToken].map((bad) =>
        call(keysUrl(), bad === undefined ? {} : { key: bad }),
      ),
    );
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toBe("Bearer");
      expect({ ...body, request_id: "" }).toEqual({ ...answers[0]?.body, request_id: "" });
    }
  });
});

describe("listing keys", () => {
  it("pages newest first over active and revoked keys, in both directions, never another account's", async () => {
    const { key } = await newAccount();
    const other = await newAccount();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift((await issue(key)).id);
    await call(keysUrl(0, `/${ids[2] ?? ""}`), { method: "DELETE", key });
    const first = await call(keysUrl(0, "?limit=2"), { key });
    expect(first.body).toMatchObject({ has_more: true, data: [{ id: ids[0] }, { id: ids[1] }] });
    expect(first.headers.get("link")).toContain('rel="next"');
    const second = await call(keysUrl(0, `?limit=2&starting_after=${ids[1] ?? ""}`), { key });
    expect(dataOf(second).map((row) => row["id"])).toEqual(ids.slice(2, 4));
    expect(dataOf(second)[0]?.["revoked_at"]).not.toBeNull();
    const back = await call(keysUrl(0, `?limit=1&ending_before=${ids[3] ?? ""}`), { key });
    expect(dataOf(back).map((row) => row["id"])).toEqual([ids[2]]);
    const oldest = await call(keysUrl(0, "?order=asc"), { key });
    expect(
      dataOf(oldest)
        .map((row) => row["id"])
        .slice(1),
    ).toEqual(ids.toReversed());
    const foreign = await call(keysUrl(0, `?starting_after=${ids[0] ?? ""}`), { key: other.key });
    expect(foreign.status).toBe(400);
    expect(foreign.body?.["code"]).toBe("invalid_parameter");
  });
});

describe("revoking a key", () => {
  it("takes effect at once in every process, and a repeat is 204", async () => {
    const { key } = await newAccount();
    for (let round = 0; round < 20; round += 1) {
      const victim = await issue(key);
      expect((await call(keysUrl(1), { key: victim.key })).status).toBe(200);
      const revoked = await call(keysUrl(0, `/${victim.id}`), { method: "DELETE", key });
      expect(revoked.status).toBe(204);
      const after = await Promise.all([0, 1, 2].map((n) => call(keysUrl(n), { key: victim.key })));
      expect(after.map(({ status }) => status)).toEqual([401, 401, 401]);
      expect((await call(keysUrl(2, `/${victim.id}`), { method: "DELETE", key })).status).toBe(204);
    }
  });

  it("is refused for the last active key, and is 404 for a key that the account does not have", async () => {
    const { key } = await newAccount();
    const other = await newAccount();
    const own = dataOf(await call(keysUrl(), { key }))[0]?.["id"];
    const last = await call(keysUrl(0, `/${String(own)}`), { method: "DELETE", key });
    expect([last.status, last.body?.["code"]]).toEqual([409, "last_active_key"]);
    for (const [id, from] of [
      [String(own), other.key],
      [ABSENT_ID, key],
      ["nonsense", key],
    ] as const) {
      const answer = await call(keysUrl(0, `/${id}`), { method: "DELETE", key: from });
      expect([answer.status, answer.body?.["code"]]).toEqual([404, "not_found"]);
    }
  });
});

describe("two revocations of an account's last two keys", () => {
  const ROUNDS = 50;
  const ALL = idRange({ direction: "asc", cursorId: null, fetch: ROUNDS * 2 }, {});

  it(`leave exactly one active key, in each of ${ROUNDS} races`, async () => {
    const { pool } = desk;
    const at = new Date();
    const { account } = await createAccount(pool, { name: "Races", at });
    const active = async () =>
      (await listApiKeys(pool, { accountId: account.id, range: ALL })).filter(
        (key) => key.revoked_at === null,
      );
    for (let round = 0; round < ROUNDS; round += 1) {
      await issueApiKey(pool, { accountId: account.id, name: null, at });
      const both = await active();
      expect(both).toHaveLength(2);
      const outcomes = await Promise.all(
        both.map(({ id }) =>
          revokeApiKey(pool, account.id, { id, at: new Date() }).then(
            () => "revoked",
            (error: unknown) => (error instanceof AppError ? error.code : String(error)),
          ),
        ),
      );
      expect(outcomes.sort()).toEqual(["last_active_key", "revoked"]);
    }
    expect(await active()).toHaveLength(1);
  });
});

describe("last_used_at", () => {
  it("is written once for many requests, and on stop", async () => {
    const { key } = await newAccount();
    const api = await startKeysApi(database.url);
    const began = Date.now();
    await Promise.all(Array.from({ length: 20 }, () => call(`${api.url}/v2/api_keys`, { key })));
    await api.stop();
    const [record] = dataOf(await call(keysUrl(), { key }));
    const usedAt = Date.parse(String(record?.["last_used_at"]));
    expect(usedAt).toBeGreaterThanOrEqual(began);
    expect(usedAt).toBeLessThanOrEqual(Date.now());
  });

  it("is written within seconds while the process runs", async () => {
    const { id, key } = await newAccount();
    await call(keysUrl(), { key });
    await apis[0]?.usage.flush();
    const { rows } = await desk.pool.query<{ last_used_at: Date | null }>(
      "select last_used_at from accounts.api_keys where account_id = $1",
      [id],
    );
    expect(rows[0]?.last_used_at).toBeInstanceOf(Date);
  });
});

describe("the database", () => {
  it("has no key or token in any column", async () => {
    const { key } = await newAccount();
    const second = await issue(key, { name: "second" });
    const secrets = [key, second.key, deskToken];
    const { rows: columns } = await desk.pool.query<Column>(
      `select table_name, column_name, data_type from information_schema.columns
        where table_schema = 'accounts' and data_type in ('text', 'bytea', 'jsonb')`,
    );
    expect(columns.map((column) => column.column_name)).toContain("key_hash");
    for (const { table_name, column_name, data_type } of columns) {
      const text =
        data_type === "bytea" ? `encode("${column_name}", 'hex')` : `"${column_name}"::text`;
      const { rows } = await desk.pool.query<{ value: string }>(
        `select coalesce(${text}, '') as value from accounts."${table_name}"`,
      );
      const stored = rows.map((row) => row.value).join("\n");
      for (const secret of secrets) {
        expect(stored).not.toContain(secret);
        expect(stored).not.toContain(Buffer.from(secret).toString("hex"));
        // The random part alone must not appear either.
        expect(stored).not.toContain(secret.slice(14));
      }
    }
  });
});
