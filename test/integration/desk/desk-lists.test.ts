import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { z } from "zod";
import { newId } from "../../../services/platform/ids.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { accountOf } from "../../support/product/account-of.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { connectClient } from "../../support/stack/test-client.ts";

const parameter = z.looseObject({ name: z.string().optional(), in: z.string().optional() });
const described = z.looseObject({
  paths: z.record(
    z.string(),
    z.looseObject({ get: z.looseObject({ parameters: z.array(parameter) }).optional() }),
  ),
});

let product: Product;
let db: pg.Client;
let orderIds: string[];
let accountId: string;
let ported: string;

beforeAll(async () => {
  product = await startProduct();
  ported = product.newNumber();
  const made = await call(`${product.apiUrl}/v2/porting_orders`, {
    method: "POST",
    key: product.apiKey,
    body: {
      phone_numbers: [ported, product.newNumber("+4420")],
      losing_carrier: "manual",
    },
  });
  orderIds = dataOf(made).map(({ id }) => String(id));
  db = await connectClient(product.databaseUrl);
  accountId = await accountOf(db, product.apiKey);
  // Of the order's id, so that the lists of both have one path.
  await db.query(
    `with made as (
        insert into orders.port_outs (id, account_id, provider, port_out_ref, status, gaining_carrier, requested_foc,
          provider_status, created_at, updated_at)
        values ($1, $2, 'sandbox', $3, 'cancelled', 'Other Telecom', '2026-12-20T10:00:00Z', '', now(), now())
        returning id, account_id
      )
      insert into orders.port_out_numbers (port_out_id, position, account_id, phone_number, open)
      select id, 1, account_id, $3, false from made`,
    [orderIds[0], accountId, ported],
  );
});

const atDesk = (path: string) => call(`${product.deskUrl}${path}`, { key: product.deskToken });

/** The paths of the lists in the desk's OpenAPI document. */
async function lists(): Promise<string[]> {
  const { paths } = described.parse((await call(`${product.deskUrl}/openapi.json`)).body);
  return Object.entries(paths)
    .filter(([, { get }]) => get?.parameters.some(({ name }) => name === "starting_after"))
    .map(([path]) => {
      const id = path.startsWith("/desk/v1/accounts/") ? accountId : orderIds[0];
      return path.replace("{id}", id ?? "");
    });
}

/** The lists that can be counted, and by what they find nothing, where they have no account. */
const COUNTED = new Set(
  [
    ...["accounts", "audit", "dead_letters", "deliveries", "numbers", "orders", "port_outs"],
    "webhook_endpoints",
  ].map((name) => `/desk/v1/${name}`),
);
const FILTERS: Readonly<Record<string, string>> = { "/desk/v1/accounts": "q" };

describe("the desk's lists", () => {
  it("refuse an unknown cursor", async () => {
    const paths = await lists();
    expect(paths.length).toBeGreaterThanOrEqual(8);
    const absent = (path: string) =>
      path.endsWith("/numbers") ? "%2B12125559999" : newId(new Date());
    for (const path of paths) {
      for (const cursor of ["starting_after", "ending_before"]) {
        const { status, body } = await atDesk(`${path}?${cursor}=${absent(path)}`);
        expect([path, status, body]).toMatchObject([
          path,
          400,
          { errors: [{ parameter: cursor, code: "unknown_id" }] },
        ]);
      }
    }
  });

  it("continue from their own cursor", async () => {
    const list = `/desk/v1/orders?account_id=${accountId}`;
    const [first] = dataOf(await atDesk(`${list}&limit=1`));
    const rest = dataOf(await atDesk(`${list}&starting_after=${String(first?.["id"])}`));
    expect([first, ...rest].map((order) => order?.["id"]).toSorted()).toEqual(orderIds.toSorted());
  });

  it("count what their filters find, where they are asked to", async () => {
    const paths = (await lists()).filter((path) => COUNTED.has(path));
    expect(paths).toHaveLength(COUNTED.size);
    for (const path of paths) {
      const none = FILTERS[path] ?? "account_id";
      const nobody = "00000000-0000-7000-8000-000000000000";
      const { status, body } = await atDesk(`${path}?total=true&${none}=${nobody}`);
      const total = { count: 0, is_more: false };
      expect([path, status, body]).toMatchObject([path, 200, { data: [], total }]);
    }
    const orders = await atDesk(`/desk/v1/orders?account_id=${accountId}&limit=1&total=true`);
    expect(orders.body?.["total"]).toEqual({ count: 2, is_more: false });
    expect(dataOf(orders)).toHaveLength(1);
    const uncounted = await atDesk(`/desk/v1/orders?account_id=${accountId}`);
    expect(uncounted.body).not.toHaveProperty("total");
  });
});

describe("an export of the desk", () => {
  const fileAt = async (path: string, key = product.deskToken) => {
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(product.deskUrl + path, { headers });
    const lines = (await response.text()).trimEnd().split(/\r?\n/);
    return { status: response.status, headers: response.headers, lines };
  };

  it("has what the list has, for whoever may read that, in CSV and in NDJSON", async () => {
    const operators = `${product.deskUrl}/desk/v1/operators`;
    const admin = { method: "POST", key: product.deskToken };
    const body = { name: "Exporting viewer", role: "viewer" };
    const id = textOf(await call(operators, { ...admin, body }), "id");
    const key = textOf(await call(`${operators}/${id}/tokens`, { ...admin, body: {} }), "token");
    const path = `/desk/v1/orders?account_id=${accountId}&order=asc`;
    const listed = dataOf(await call(product.deskUrl + path, { key }));
    const ndjson = await fileAt(`${path.replace("?", "/export?")}&format=ndjson`, key);
    expect(ndjson.lines.map((line) => JSON.parse(line) as unknown)).toEqual(listed);
    const csv = await fileAt(path.replace("?", "/export?"), key);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="orders.csv"');
    const [head, ...rows] = csv.lines;
    expect(head).toContain("id,batch_id,account.id,account.name,status,provider");
    expect(rows.map((row) => row.split(",")[0])).toEqual(listed.map((order) => order["id"]));
  });

  it("is there of every list, by its own filters, and refuses what the list refuses", async () => {
    for (const path of [...COUNTED, "/desk/v1/reviews"]) {
      const none = `${FILTERS[path] ?? "account_id"}=00000000-0000-7000-8000-000000000000`;
      const { status, lines } = await fileAt(`${path}/export?${none}&format=csv`);
      expect([path, status, lines.length]).toEqual([path, 200, 1]);
      expect([path, (await fileAt(`${path}/export?limit=1`)).status]).toEqual([path, 400]);
    }
  });
});

/** Every page of a list, one item on each. */
async function onePerPage(path: string, idOf = "id"): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let after = ""; ;) {
    const answer = await atDesk(`${path}&limit=1${after}`);
    expect(answer.status).toBe(200);
    found.push(...dataOf(answer));
    if (answer.body?.["has_more"] !== true) return found;
    const last = String(dataOf(answer).at(-1)?.[idOf]);
    after = `&starting_after=${encodeURIComponent(last)}`;
  }
}

describe("a list of the desk by a key", () => {
  it("has accounts by name, in any case, page by page", async () => {
    const mark = newId(new Date()).slice(-12);
    for (const name of ["beta", "Alpha", "gamma"]) {
      const body = { name: `${name} ${mark}` };
      const key = product.deskToken;
      await call(`${product.deskUrl}/desk/v1/accounts`, { method: "POST", key, body });
    }
    const named = ["Alpha", "beta", "gamma"].map((name) => ({ name: `${name} ${mark}` }));
    const path = `/desk/v1/accounts?q=${mark}&order_by=name`;
    expect(await onePerPage(path)).toMatchObject(named);
    expect(await onePerPage(`${path}&order=desc`)).toMatchObject(named.toReversed());
  });

  it("has orders by FOC date, of those that have one, and refuses a cursor that has none", async () => {
    const [first = "", second = ""] = orderIds;
    const path = `/desk/v1/orders?account_id=${accountId}&order_by=foc_actual`;
    expect(await onePerPage(path)).toEqual([]);
    // In different zones: the later text is the earlier instant.
    await setFoc(first, "2062-03-02T09:00:00+02:00");
    await setFoc(second, "2062-03-02T08:30:00+00:00");
    const byDate = [{ id: first }, { id: second }];
    expect(await onePerPage(path)).toMatchObject(byDate);
    expect(await onePerPage(`${path}&order=desc`)).toMatchObject(byDate.toReversed());
    expect(await onePerPage(`${path}&status=draft&status=submitted`)).toMatchObject(byDate);
    const total = (await atDesk(`${path}&total=true`)).body?.["total"];
    expect(total).toEqual({ count: 2, is_more: false });
    await setFoc(first, null);
    expect(await atDesk(`${path}&starting_after=${first}`)).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: "starting_after", code: "unknown_id" }] },
    });
  });

  it("has numbers by themselves, page by page", async () => {
    const numbers = [product.newNumber(), product.newNumber(), product.newNumber()];
    await db.query(
      `insert into orders.numbers (account_id, phone_number, status, country_code, number_type, provider, activated_at)
        select $1, n, 'active', 'US', 'local', 'manual', now() from unnest($2::text[]) n`,
      [accountId, numbers],
    );
    const path = `/desk/v1/numbers?account_id=${accountId}`;
    const sorted = numbers.toSorted().map((phone_number) => ({ phone_number }));
    const found = await onePerPage(`${path}&order_by=phone_number`, "phone_number");
    expect(found).toMatchObject(sorted);
    const down = await onePerPage(`${path}&order_by=phone_number&order=desc`, "phone_number");
    expect(down).toMatchObject(sorted.toReversed());
    expect(await onePerPage(path, "phone_number")).toHaveLength(3);
  });

  it("finds a number by any form of it, and by its last digits", async () => {
    await db.query(
      `insert into orders.numbers (account_id, phone_number, status, country_code, number_type, provider, activated_at)
        values ($1, $2, 'active', 'US', 'local', 'manual', now())`,
      [accountId, ported],
    );
    const national = ported.slice(2);
    const forms = [ported, `(${national.slice(0, 3)}) ${national.slice(3)}`, national.slice(-7)];
    for (const q of forms) {
      const found = await atDesk(`/desk/v1/numbers?${new URLSearchParams({ q }).toString()}`);
      expect(dataOf(found).map((one) => one["phone_number"])).toEqual([ported]);
    }
    for (const q of ["Acme", "12"]) {
      expect(dataOf(await atDesk(`/desk/v1/numbers?q=${q}`))).toEqual([]);
    }
  });

  it("is by no key that has no index", async () => {
    expect((await atDesk("/desk/v1/orders?order_by=updated_at")).status).toBe(400);
  });
});

function setFoc(orderId: string, foc: string | null) {
  const text = "update orders.porting_orders set foc_actual = $2 where id = $1";
  return db.query(text, [orderId, foc]);
}
