import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import {
  createFingerprints,
  openFingerprintKey,
} from "../../../services/platform/idempotency/start-idempotency.ts";
import { digestOf } from "../../../services/platform/idempotency/idempotency-key.ts";
import { createSecretBox } from "../../../services/platform/secret-box.ts";
import { call, dataOf, textOf, type Answer, type Call } from "../../support/http/call.ts";
import { accountOf } from "../../support/product/account-of.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { connectClient } from "../../support/stack/test-client.ts";

const ORDERS = "/v2/porting_orders";

let product: Product;
let database: pg.Client;
let account: string;

beforeAll(async () => {
  product = await startProduct();
  database = await connectClient(product.databaseUrl);
  account = await accountOf(database, product.apiKey);
});

const number = (): string => product.newNumber();

function send(
  path: string,
  idempotencyKey: string,
  request: Pick<Call, "method" | "key" | "body">,
): Promise<Answer> {
  return call(product.apiUrl + path, {
    method: "POST",
    key: product.apiKey,
    headers: { "Idempotency-Key": idempotencyKey },
    ...request,
  });
}

async function newAccount(): Promise<string> {
  const url = `${product.deskUrl}/desk/v1/accounts`;
  const made = await call(url, { method: "POST", key: product.deskToken, body: { name: "other" } });
  return textOf(made, "api_key");
}

describe("Idempotency-Key", () => {
  it("replays the answer of the same request, however its properties are ordered", async () => {
    const phone = number();
    const first = await send(ORDERS, "order-1", {
      body: {
        phone_numbers: [phone],
        customer_reference: "a",
      },
    });
    const again = await send(ORDERS, "order-1", {
      body: {
        customer_reference: "a",
        phone_numbers: [phone],
      },
    });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const { rows } = await database.query(
      "select from orders.order_numbers where phone_number = $1",
      [phone],
    );
    expect(rows).toHaveLength(1);
  });

  it("takes an id in capitals in the path for that id", async () => {
    const made = await send(ORDERS, "order-capitals", { body: { phone_numbers: [number()] } });
    const id = String(dataOf(made)[0]?.["id"]);
    const comment = { body: { body: "Once." } };
    const first = await send(`${ORDERS}/${id}/comments`, "comment-capitals", comment);
    const again = await send(`${ORDERS}/${id.toUpperCase()}/comments`, "comment-capitals", comment);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
  });

  it("refuses another request under the same key without any effect", async () => {
    const [phone, other] = [number(), number()];
    await send(ORDERS, "order-2", { body: { phone_numbers: [phone] } });
    const reused = await send(ORDERS, "order-2", { body: { phone_numbers: [other] } });
    expect([reused.status, reused.body?.["code"]]).toEqual([422, "idempotency_key_reused"]);
    const elsewhere = await send("/v2/webhook_endpoints", "order-2", {
      body: { phone_numbers: [phone] },
    });
    expect(elsewhere.status).toBe(422);
    const listed = await call(
      `${product.apiUrl}${ORDERS}?phone_number=${encodeURIComponent(other)}`,
      { key: product.apiKey },
    );
    expect(dataOf(listed)).toEqual([]);
  });

  it("stores nothing of a refused request, which may be repeated under its key", async () => {
    const phone = number();
    await send(ORDERS, "draft", { body: { phone_numbers: [phone] } });
    const taken = await send(ORDERS, "order-3", { body: { phone_numbers: [phone] } });
    expect(taken.status).toBe(409);
    const [{ id } = {}] = dataOf(
      await call(`${product.apiUrl}${ORDERS}?phone_number=${encodeURIComponent(phone)}`, {
        key: product.apiKey,
      }),
    );
    await call(`${product.apiUrl}${ORDERS}/${String(id)}`, {
      method: "DELETE",
      key: product.apiKey,
    });
    expect((await send(ORDERS, "order-3", { body: { phone_numbers: [phone] } })).status).toBe(201);
  });

  it("lets one of fifty take effect; the others get its answer, or that it is still running", async () => {
    const phone = number();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        send(ORDERS, "order-4", { body: { phone_numbers: [phone] } }),
      ),
    );
    const codes = answers.map(({ status, body }) => (status === 201 ? "201" : body?.["code"]));
    expect(new Set(codes)).toEqual(
      new Set(
        codes.includes("idempotency_in_progress") ? ["201", "idempotency_in_progress"] : ["201"],
      ),
    );
    const batches = answers
      .filter(({ status }) => status === 201)
      .map((answer) => textOf(answer, "batch_id"));
    expect(new Set(batches).size).toBe(1);
    expect(
      answers.filter(
        ({ headers, status }) => status === 201 && headers.get("idempotency-replayed") === null,
      ),
    ).toHaveLength(1);
  });

  it("is separate for each account", async () => {
    const other = await newAccount();
    const body = { phone_numbers: [number()] };
    const mine = await send(ORDERS, "order-5", { body });
    const theirs = await send(ORDERS, "order-5", {
      body: { phone_numbers: [number()] },
      key: other,
    });
    expect([mine.status, theirs.status]).toEqual([201, 201]);
  });

  it("shows a secret again to the requesting API key, and stores it sealed", async () => {
    const first = await send("/v2/api_keys", "key-1", { body: { name: "second" } });
    const issued = textOf(first, "key");
    const again = await send("/v2/api_keys", "key-1", { body: { name: "second" } });
    expect(again.body).toEqual(first.body);
    const byAnother = await send("/v2/api_keys", "key-1", {
      body: { name: "second" },
      key: issued,
    });
    expect([byAnother.status, byAnother.body?.["code"]]).toEqual([422, "idempotency_key_reused"]);
    const { rows } = await database.query<{ text: string }>(
      "select encode(body, 'escape') as text from messaging.idempotent_replies where key = 'key-1' and strpos(owner, $1) > 0",
      [account],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain(issued.slice(0, 14));
    const { rows: keys } = await database.query(
      "select from accounts.api_keys where name = 'second' and account_id = $1",
      [account],
    );
    expect(keys).toHaveLength(1);
  });

  it("stores a fingerprint under the generated key, which no guess of the body leads to", async () => {
    const body = { phone_numbers: [number()] };
    await send(ORDERS, "guess", { body });
    const digest = digestOf({ method: "POST", path: ORDERS, search: "", body });
    const { rows } = await database.query<{ fingerprint: Buffer }>(
      "select fingerprint from messaging.idempotent_replies where key = 'guess' and strpos(owner, $1) > 0",
      [account],
    );
    const secretsKey = Buffer.from(product.secretsKey, "base64");
    const key = await openFingerprintKey(database, createSecretBox([secretsKey]));
    expect(rows).toEqual([{ fingerprint: createFingerprints(key).of(digest) }]);
    expect(rows[0]?.fingerprint.equals(digest)).toBe(false);
  });

  // (docs/contract/customer-api.md, Conventions)
  it("replays for 24 hours; after them the key is free for any request", async () => {
    const body = { phone_numbers: [number()] };
    const first = await send(ORDERS, "day", { body });
    const age = (minutes: number) =>
      database.query(
        `update messaging.idempotent_replies set created_at = now() - make_interval(mins => $1)
          where key = 'day' and strpos(owner, $2) > 0`,
        [minutes, account],
      );
    await age(24 * 60 - 1);
    const late = await send(ORDERS, "day", { body });
    expect(late.body).toEqual(first.body);
    await age(24 * 60 + 1);
    const other = await send(ORDERS, "day", { body: { phone_numbers: [number()] } });
    expect([other.status, other.headers.get("idempotency-replayed")]).toEqual([201, null]);
    expect(other.body?.["batch_id"]).not.toBe(first.body?.["batch_id"]);
  });

  // All that is known of a request by its `name`, which is its key too.
  it.each<[string, (name: string) => { path: string; body: object }, string]>([
    [
      "an order",
      (name) => ({ path: ORDERS, body: { phone_numbers: [number()], customer_reference: name } }),
      "select xmin from orders.porting_orders where customer_reference = $1",
    ],
    [
      "an API key",
      (name) => ({ path: "/v2/api_keys", body: { name } }),
      `select xmin from accounts.api_keys where name = $1
        union all select xmin from accounts.audit_log where after->>'name' = $1`,
    ],
    [
      "a webhook endpoint",
      (name) => ({
        path: "/v2/webhook_endpoints",
        body: { url: "https://8.8.8.8", description: name },
      }),
      "select xmin from webhooks.endpoints where description = $1",
    ],
    [
      "an account",
      (name) => ({ path: "/desk/v1/accounts", body: { name } }),
      `select a.xmin from accounts.accounts a where name = $1
        union all select k.xmin from accounts.api_keys k join accounts.accounts a on a.id = k.account_id where a.name = $1
        union all select xmin from accounts.audit_log where after->>'name' = $1`,
    ],
    [
      "an operator",
      (name) => ({ path: "/desk/v1/operators", body: { name, role: "viewer" } }),
      `select xmin from accounts.operators where name = $1
        union all select xmin from accounts.audit_log where after->'operator'->>'name' = $1`,
    ],
  ])(
    "stores its answer in the transaction of all that it writes: %s",
    async (what, of, written) => {
      const name = `${what} of ${account}`.replaceAll(" ", "-");
      const { path, body } = of(name);
      const isDesk = path.startsWith("/desk");
      const answer = await call((isDesk ? product.deskUrl : product.apiUrl) + path, {
        method: "POST",
        key: isDesk ? product.deskToken : product.apiKey,
        headers: { "Idempotency-Key": name },
        body,
      });
      expect(answer.status).toBe(201);
      const { rows } = await database.query<{ rows: number; transactions: number }>(
        `select count(*)::integer as rows, count(distinct xmin::text)::integer as transactions
        from (${written} union all select xmin from messaging.idempotent_replies where key = $1) one`,
        [name],
      );
      expect(rows[0]?.rows).toBeGreaterThan(1);
      expect(rows[0]?.transactions).toBe(1);
    },
  );

  it("applies to PATCH, and at the desk", async () => {
    const made = await send(ORDERS, "order-6", { body: { phone_numbers: [number()] } });
    const path = `${ORDERS}/${String(dataOf(made)[0]?.["id"])}`;
    const body = { customer_reference: "b" };
    const patched = await send(path, "patch-1", { body, method: "PATCH" });
    const again = await send(path, "patch-1", { body, method: "PATCH" });
    expect([patched.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    const comment = () =>
      call(`${product.deskUrl}/desk/v1/orders/${path.split("/").at(-1) ?? ""}/comments`, {
        method: "POST",
        key: product.deskToken,
        headers: { "Idempotency-Key": "comment-1" },
        body: { body: "once" },
      });
    expect((await comment()).body).toEqual((await comment()).body);
    const comments = await call(`${product.apiUrl}${path}/comments`, { key: product.apiKey });
    expect(dataOf(comments)).toHaveLength(1);
  });

  it.each(["", "with space", "ü", "x".repeat(256)])("must be visible ASCII: %j", async (key) => {
    const answer = await send(ORDERS, key, { body: { phone_numbers: [number()] } }).catch(
      () => null,
    );
    // Some texts are not valid in a header at all.
    expect([null, 400]).toContain(answer?.status ?? null);
  });
});
