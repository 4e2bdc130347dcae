import pg from "pg";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { median, type Bench } from "../bench.ts";
import type { Figure } from "../figure.ts";
import { openRequests, type HttpRequests } from "../http-requests.ts";

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 5;
const REQUESTS = 60;
/** The time of the oldest order; the others follow one second apart. */
const FIRST_AT = Date.parse("2026-01-01T00:00:00.000Z");

const idOf = (n: number): string => {
  const at = (FIRST_AT + n * 1_000).toString(16).padStart(12, "0");
  const end = n.toString(16).padStart(12, "0");
  return `${at.slice(0, 8)}-${at.slice(8)}-7000-8000-${end}`;
};
const timeOf = (n: number): string => new Date(FIRST_AT + n * 1_000).toISOString();
/** The port date of the n-th order. */
const focOf = (n: number): string => timeOf(n + 3 * 86_400);
const numberOf = (n: number): string => `+1212${String(2_000_000 + n)}`;

/** Every tenth order is in review, every tenth is Canadian, every hundredth has the same reference, or carrier, or type. */
const FILL = `
create temporary table filled as
  select n, timestamptz '${timeOf(0)}' + n * interval '1 second' as at,
    (lpad(to_hex(${FIRST_AT} + n * 1000::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid as id
  from generate_series(0, $count - 1) n;
with asked as (
  select jsonb_agg(jsonb_build_object('slug', r.slug, 'field_type', r.field_type, 'mandatory', true,
      'max_age_days', null)) as items
  from (values ('loa', 'document'), ('invoice', 'document'), ('account_number', 'text')) r (slug, field_type)
) insert into orders.requirement_profiles (id, items)
  select orders.requirement_profile_id(items), items from asked;
insert into orders.porting_orders (id, account_id, batch_id, status, provider, country_code, number_type,
    customer_reference, losing_carrier, foc_actual, created_at, updated_at, requirement_profile_id)
  select f.id, (select id from accounts.accounts limit 1), f.id, case when n % 10 = 0 then 'in_review' else 'cancelled' end,
    'manual', case when n % 10 = 5 then 'CA' else 'US' end, case when n % 100 = 9 then 'mobile' else 'local' end,
    case when n % 100 = 7 then 'the one' else 'reference ' || n end, case when n % 100 = 8 then 'Verizon' end,
    case when n % 10 <> 0 then to_char((at + interval '3 days') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end, at, at,
    (select id from orders.requirement_profiles) from filled f;
insert into orders.order_numbers (order_id, position, account_id, phone_number, live)
  select id, 0, (select id from accounts.accounts limit 1), '+1212' || (2000000 + n), false from filled;
insert into orders.requirements (order_id, slug)
  select f.id, item->>'slug' from filled f
    cross join orders.requirement_profiles p cross join jsonb_array_elements(p.items) item;
drop table filled;
analyze orders.porting_orders, orders.order_numbers, orders.requirements;
`;

async function fill(databaseUrl: string, count: number): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(FILL.replace("$count", String(count)));
  await client.query("vacuum orders.porting_orders, orders.order_numbers, orders.requirements");
  await client.end();
}

interface Way {
  readonly name: string;
  readonly query: (count: number) => string;
}

const WAYS: readonly Way[] = [
  { name: "first page", query: () => "" },
  { name: "by cursor", query: (count) => `starting_after=${idOf(count / 2)}` },
  {
    name: "by cursor, oldest first",
    query: (count) => `order=asc&starting_after=${idOf(count / 2)}`,
  },
  {
    name: "by dates",
    query: (count) =>
      `created_after=${timeOf(count / 2)}&created_before=${timeOf(count / 2 + 100)}`,
  },
  { name: "by status", query: () => "status=in_review" },
  { name: "by two statuses", query: () => "status=in_review&status=cancelled" },
  { name: "by country", query: () => "country_code=CA" },
  { name: "by type", query: () => "number_type=mobile&limit=10" },
  { name: "by carrier", query: () => "losing_carrier=Verizon&limit=10" },
  {
    name: "by port date",
    query: (count) => `foc_after=${focOf(count / 2)}&foc_before=${focOf(count / 2 + 20)}`,
  },
  { name: "by reference", query: () => "customer_reference=the%20one&limit=10" },
  {
    name: "by number",
    query: (count) => `phone_number=${encodeURIComponent(numberOf(count / 2))}`,
  },
];

interface Side {
  readonly product: OwnProduct;
  readonly requests: HttpRequests;
  readonly count: number;
}

async function pageMs({ requests, count }: Side, { query }: Way): Promise<number> {
  const times: number[] = [];
  const path = `/v2/porting_orders?${query(count)}`;
  for (let sent = 0; sent < REQUESTS; sent += 1) times.push(await requests.send({ path }));
  return median(times);
}

/** Pages of the order lists of an account with few orders and of one with a million, read alternately. */
export const orderList: Bench = {
  name: "order-list",
  area: "API",
  once: true,
  run: async (context) => {
    const sides: Side[] = [];
    try {
      for (const count of [FEW, MANY]) {
        const product = await startProductAt(await context.newPlace(), { services: ["api"] });
        const requests = openRequests(product.apiUrl, 1, product.apiKey);
        sides.push({ product, requests, count });
        await fill(product.databaseUrl, count);
      }
      const found = WAYS.map((way) => ({ way, times: sides.map((): number[] => []) }));
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const { way, times } of found) {
          for (const [n, side] of sides.entries()) times[n]?.push(await pageMs(side, way));
        }
      }
      return found.flatMap(({ way: { name }, times: [few = [], many = []] }): Figure[] => [
        {
          name: `list of orders, ${name}: of ${MANY.toLocaleString("en")}`,
          measured: median(many),
          unit: "ms",
          floor: { what: `of ${FEW.toLocaleString("en")}`, measured: median(few) },
          target: { kind: "at_most_of_floor", accept: 1.3, goal: 1.1 },
        },
      ]);
    } finally {
      for (const { requests, product } of sides) {
        await requests.close();
        await product.stop();
      }
    }
  },
};
