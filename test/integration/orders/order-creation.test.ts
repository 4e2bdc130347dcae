import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { z } from "zod";
import { call, dataOf, type Answer } from "../../support/http/call.ts";
import { accountOf } from "../../support/product/account-of.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { connectClient } from "../../support/stack/test-client.ts";

const PATH = "/v2/porting_orders";
/** The starts of numbers for three kinds of orders. */
const KINDS = ["+1212", "+4420", "+331"] as const;

let product: Product;
let database: pg.Client;
let account: string;
let other: { readonly account: string; readonly key: string };

beforeAll(async () => {
  product = await startProduct();
  database = await connectClient(product.databaseUrl);
  account = await accountOf(database, product.apiKey);
  const opened = await call(`${product.deskUrl}/desk/v1/accounts`, {
    method: "POST",
    key: product.deskToken,
    body: { name: "Other" },
  });
  const { id, api_key } = z.looseObject({ id: z.string(), api_key: z.string() }).parse(opened.body);
  other = { account: id, key: api_key };
});

const newNumbers = (): [string, string, string] => [
  product.newNumber(),
  product.newNumber(),
  product.newNumber(),
];

interface Sent {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const create = (body: unknown, { key = product.apiKey, headers = {} }: Sent = {}) =>
  call(product.apiUrl + PATH, { method: "POST", key, body, headers });

const outcomeOf = ({ status, body }: Answer): string => `${status} ${String(body?.["code"])}`;

const errorsOf = (answer: Answer): unknown =>
  z
    .array(z.object({ pointer: z.string(), code: z.string() }))
    .parse(answer.body?.["errors"] ?? [])
    .map(({ pointer, code }) => [pointer, code]);

async function countOf(text: string, value: unknown): Promise<number> {
  const { rows } = await database.query<{ count: string }>(text, [value]);
  return Number(rows[0]?.count);
}

const liveOrdersOf = (phoneNumber: string): Promise<number> =>
  countOf(
    "select count(*) from orders.order_numbers where phone_number = $1 and live",
    phoneNumber,
  );

async function activate(phoneNumber: string): Promise<void> {
  await database.query(
    `insert into orders.numbers
      (account_id, phone_number, status, country_code, number_type, provider, activated_at)
      values ($1, $2, 'active', 'US', 'local', 'sandbox', now())`,
    [account, phoneNumber],
  );
}

describe("concurrent creations", () => {
  it("each write a separate order, requirements, timeline, deadline and event", async () => {
    const numbers = KINDS.flatMap((kind) =>
      Array.from({ length: 12 }, () => product.newNumber(kind)),
    );
    const answers = await Promise.all(
      numbers.map((number) => create({ phone_numbers: [number], customer_reference: number })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    for (const answer of answers) {
      const [order] = dataOf(answer);
      const id = String(order?.["id"]);
      const read = await call(`${product.apiUrl}${PATH}/${id}`, { key: product.apiKey });
      expect(read.body).toEqual(order);
      expect(order?.["phone_numbers"]).toEqual([order?.["customer_reference"]]);
      const written = await database.query<Record<string, string>>(
        `select (select jsonb_array_length(p.items)::text from orders.requirement_profiles p
            join orders.porting_orders o on o.requirement_profile_id = p.id where o.id = $1) as asked,
          (select count(*) from orders.requirements where order_id = $1) as requirements,
          (select count(*) from orders.timeline where order_id = $1 and account_id = $2) as timeline,
          (select count(*) from orders.deadlines where subject_id = $1::text) as deadlines,
          (select count(*) from messaging.outbox where key = convert_to($1::text, 'utf8')) as events`,
        [id, account],
      );
      const asked = z.array(z.unknown()).parse(order?.["requirements"]).length;
      expect(written.rows[0]).toEqual({
        asked: String(asked),
        requirements: "0",
        timeline: "1",
        deadlines: "1",
        events: "1",
      });
    }
  });

  it("have one winner for a number, and do not fail others", async () => {
    const contested = product.newNumber();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        create({ phone_numbers: n % 3 === 0 ? [contested] : [product.newNumber()] }),
      ),
    );
    const outcomes = answers.map(outcomeOf);
    expect(outcomes.filter((_, n) => n % 3 === 0).toSorted()).toEqual([
      "201 undefined",
      ...Array.from({ length: 7 }, () => "409 number_in_active_order"),
    ]);
    expect(new Set(outcomes.filter((_, n) => n % 3 !== 0))).toEqual(new Set(["201 undefined"]));
    expect(await liveOrdersOf(contested)).toBe(1);
  });

  it("keep accounts apart: each may order the same number once", async () => {
    const number = product.newNumber();
    const keys = [product.apiKey, other.key, product.apiKey, other.key];
    const answers = await Promise.all(
      keys.map((key) => create({ phone_numbers: [number] }, { key })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
    expect(await liveOrdersOf(number)).toBe(2);
  });

  it("have one winner when some carry an Idempotency-Key", async () => {
    const number = product.newNumber();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        create(
          { phone_numbers: [number] },
          { headers: n % 2 === 0 ? { "Idempotency-Key": `creation-${n}` } : {} },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
    expect(await liveOrdersOf(number)).toBe(1);
  });

  it("are refused for a number that is already active, while another is created", async () => {
    const [active, free, beside] = newNumbers();
    await activate(active);
    const [refused, made] = await Promise.all([
      create({ phone_numbers: [beside, active] }),
      create({ phone_numbers: [free] }),
    ]);
    expect(outcomeOf(refused)).toBe("422 validation_failed");
    expect(errorsOf(refused)).toEqual([["#/phone_numbers/1", "already_active"]]);
    expect(made.status).toBe(201);
    expect(await liveOrdersOf(beside)).toBe(0);
  });
});

// (docs/contract/customer-api.md, Porting orders)
describe("a request for numbers of several kinds", () => {
  const eventsOf = (orderId: unknown): Promise<number> =>
    countOf(
      "select count(*) from messaging.outbox where key = convert_to($1::text, 'utf8')",
      orderId,
    );

  it("becomes a batch with an event for each order, and one split with the first", async () => {
    const answer = await create({ phone_numbers: KINDS.map((kind) => product.newNumber(kind)) });
    const orders = dataOf(answer);
    expect(orders.map((order) => order["country_code"])).toEqual(["US", "GB", "FR"]);
    expect(new Set(orders.map((order) => order["batch_id"]))).toEqual(
      new Set([answer.body?.["batch_id"]]),
    );
    expect(answer.headers.get("location")).toBe(`${PATH}/${String(orders[0]?.["id"])}`);
    const told: number[] = [];
    for (const order of orders) told.push(await eventsOf(order["id"]));
    expect(told).toEqual([2, 1, 1]);
  });
});

describe("a request for numbers that are in another live order", () => {
  it("names the order", async () => {
    const [first, second, free] = newNumbers();
    await create({ phone_numbers: [first, second] });
    const answer = await create({ phone_numbers: [second, free, first] });
    expect(outcomeOf(answer)).toBe("409 number_in_active_order");
    expect(errorsOf(answer)).toEqual([
      ["#/phone_numbers/0", "number_in_active_order"],
      ["#/phone_numbers/2", "number_in_active_order"],
    ]);
  });
});

describe("a request for orders with several faults", () => {
  it("reports all of them at once: body, numbers and URL", async () => {
    const [active, repeated] = newNumbers();
    await activate(active);
    const answer = await create({
      phone_numbers: [active, "nonsense", repeated, repeated, 7, "+551123456789"],
      foc_requested: "2020-01-01T00:00:00Z",
      webhook_url: "no url",
      colour: "red",
    });
    expect(outcomeOf(answer)).toBe("422 validation_failed");
    expect(errorsOf(answer)).toEqual([
      ["#/phone_numbers/4", "invalid_number"],
      ["#/colour", "unknown_property"],
      ["#/foc_requested", "date_out_of_range"],
      ["#/webhook_url", "invalid_url"],
      ["#/phone_numbers/0", "already_active"],
      ["#/phone_numbers/1", "invalid_number"],
      ["#/phone_numbers/3", "duplicate_number"],
      ["#/phone_numbers/5", "country_not_supported"],
    ]);
    expect(await liveOrdersOf(repeated)).toBe(0);
  });

  it("reports faults of the date, the numbers and the URL when the body is well-formed", async () => {
    const active = product.newNumber();
    await activate(active);
    const answer = await create({
      phone_numbers: [active, "+1"],
      foc_requested: "2020-01-01T00:00:00Z",
      webhook_url: "no url",
    });
    expect(outcomeOf(answer)).toBe("422 validation_failed");
    expect(errorsOf(answer)).toEqual([
      ["#/foc_requested", "date_out_of_range"],
      ["#/webhook_url", "invalid_url"],
      ["#/phone_numbers/0", "already_active"],
      ["#/phone_numbers/1", "invalid_number"],
    ]);
  });
});
