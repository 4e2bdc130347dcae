/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { z } from "zod";
import { call, dataOf, type Answer } from "../support/http/call.ts";
import { p99Ms } from "../support/http/latency.ts";
import type { CustomerAccess } from "../support/orders/fulfil-order.ts";
import { createAccount } from "../support/product/create-account.ts";
import { startOwnProduct, type OwnProduct } from "../support/product/product.ts";
import { connectClient } from "../support/stack/test-client.ts";

const ORDERS = 250;
const NUMBERS = 1_000;
const PAGE_NUMBERS = 5_000;
const READERS = 4;
/** How much the API may grow while all of them read. */
const GROWTH_MB = 150;
const REQUESTS = 50;
/** Four pages whose JSON is being made, and what a busy machine adds. */
const NOISE_MS = 250;
const EVERYTHING = "include=requirements,numbers,exceptions";

let product: OwnProduct;
let hostile: CustomerAccess;
let victim: CustomerAccess;
let database: pg.Client;

beforeAll(async () => {
  const env = { ACCOUNT_CONCURRENCY: "20" };
  product = await startOwnProduct({ services: ["api", "desk"], env });
  hostile = await createAccount(product, "Hostile");
  victim = await createAccount(product, "Victim");
  database = await connectClient(product.databaseUrl);
  await createCopies(hostile, { orders: ORDERS, numbers: NUMBERS });
});

const list = (path: string, { apiUrl, apiKey: key }: CustomerAccess): Promise<Answer> =>
  call(`${apiUrl}/v2/porting_orders${path}`, { key });

/** One order as the API makes it, and copies with so many numbers each. */
async function createCopies(
  { apiUrl, apiKey: key }: CustomerAccess,
  { orders, numbers }: { readonly orders: number; readonly numbers: number },
): Promise<void> {
  const body = { phone_numbers: ["+12125550131"] };
  const made = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
  const id = z.string().parse(dataOf(made)[0]?.["id"]);
  await database.query(
    `with copies as (
        insert into orders.porting_orders
        select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid()))).*
        from orders.porting_orders o, generate_series(1, $2::integer) where o.id = $1
        returning id, account_id
      ), numbered as (select id, account_id, row_number() over () as nth from copies)
      insert into orders.order_numbers (order_id, position, account_id, phone_number)
      select id, position, account_id, '+1212' || (5000000 + nth * $3::integer + position)
      from numbered, generate_series(1, $3::integer) position`,
    [id, orders - 1, numbers],
  );
  await database.query("analyze orders.porting_orders, orders.order_numbers");
}

/** Reads the whole list, page by page, and returns the ids. */
async function readAll(): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const after = ids.length === 0 ? "" : `&starting_after=${ids.at(-1) ?? ""}`;
    const { apiUrl, apiKey } = hostile;
    const url = `${apiUrl}/v2/porting_orders?limit=250&${EVERYTHING}${after}`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${apiKey}` } });
    const page = (await answer.json()) as { data: { id: string }[]; has_more: boolean };
    ids.push(...page.data.map((order) => order.id));
    if (!page.has_more) return ids;
  }
}

/** Resident memory of the API process. */
async function residentMb(): Promise<number> {
  const text = await (await fetch(`${product.apiUrl}/metrics`)).text();
  const found = /^process_resident_memory_bytes\{[^}]*\} (\d+)$/m.exec(text);
  return Number(found?.[1]) / 1_048_576;
}

async function highestMb(isOver: () => boolean): Promise<number> {
  let highest = 0;
  while (!isOver()) highest = Math.max(highest, await residentMb());
  return highest;
}

describe("a list of large orders", () => {
  it("ends a page after 5,000 numbers, and reaches every order once", async () => {
    const first = await list("?limit=250", hostile);
    const counts = dataOf(first).map((order) => Number(order["numbers_count"]));
    const total = counts.reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThanOrEqual(PAGE_NUMBERS);
    expect(total - (counts.at(-1) ?? 0)).toBeLessThan(PAGE_NUMBERS);
    expect(first.body?.["has_more"]).toBe(true);
    expect(first.headers.get("Link")).toContain(
      `starting_after=${String(dataOf(first).at(-1)?.["id"])}`,
    );
    const back = await list(`?ending_before=${String(dataOf(first)[2]?.["id"])}`, hostile);
    expect(dataOf(back)).toEqual(dataOf(first).slice(0, 2));
    expect(new Set(await readAll()).size).toBe(ORDERS);
  });

  it("ends a page with requirements after 50 orders, and says that there are more", async () => {
    const many = await createAccount(product, "Many orders");
    await createCopies(many, { orders: 60, numbers: 1 });
    const countOf = async (query: string) => {
      const answer = await list(`?limit=250${query}`, many);
      return { count: dataOf(answer).length, hasMore: answer.body?.["has_more"] };
    };
    expect(await countOf("&include=requirements")).toEqual({ count: 50, hasMore: true });
    expect(await countOf("&include=numbers")).toEqual({ count: 60, hasMore: false });
  });

  it("shows requirements, numbers and exceptions only if asked to", async () => {
    const parts = ["requirements", "numbers", "exceptions"];
    const shown = async (query: string): Promise<string[]> => {
      const [order = {}] = dataOf(await list(`?limit=1${query}`, hostile));
      return parts.filter((part) => part in order);
    };
    expect(await shown("")).toEqual([]);
    expect(await shown("&include=numbers")).toEqual(["numbers"]);
    expect(await shown(`&${EVERYTHING}`)).toEqual(parts);
    expect((await list("?include=numbers,secrets", hostile)).status).toBe(400);
  });

  it("read by four at once costs the API little memory, and other accounts little time", async () => {
    const measure = (): Promise<number> =>
      p99Ms(REQUESTS, async () => expect((await list("?limit=5", victim)).status).toBe(200));
    await readAll();
    const alone = await measure();
    const before = await residentMb();
    let isOver = false;
    const sampling = highestMb(() => isOver);
    let isMeasured = false;
    // They read again and again, so that no round of the measurement has them over and done with.
    const readAgain = async (): Promise<string[]> => {
      const read = await readAll();
      return isMeasured ? read : readAgain();
    };
    const readers = Array.from({ length: READERS }, readAgain);
    const beside = await measure();
    isMeasured = true;
    const read = await Promise.all(readers);
    isOver = true;
    const highest = await sampling;
    expect(read.map((ids) => ids.length)).toEqual(Array(READERS).fill(ORDERS));
    expect(highest - before).toBeLessThan(GROWTH_MB);
    expect(beside).toBeLessThan(2 * alone + NOISE_MS);
  });
});
