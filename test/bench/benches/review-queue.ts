import pg from "pg";
import { startProductAt, type Product } from "../../support/product/product.ts";
import { quantile, type Bench } from "../bench.ts";
import type { Figure } from "../figure.ts";
import { openRequests, type SentRequest } from "../http-requests.ts";

const ORDERS = 300_000;
const REQUESTS = 40;
const MOST_MS = 100;

/** Every sixth order is in review: 50,000 open cases. Ten accounts, two numbers an order. */
const FILL = `
insert into accounts.accounts (id, name, status, created_at)
  select gen_random_uuid(), 'Account number ' || n, 'active', now() from generate_series(1, 10) n;
create temporary table filled as
  select gen_random_uuid() as id, n, timestamptz '2026-01-01' + n * interval '1 minute' as at, n % 6 = 0 as open,
    (array(select id from accounts.accounts order by id))[1 + n % 10] as account_id
  from generate_series(1, ${ORDERS}) n;
insert into orders.requirement_profiles (id, items) values (orders.requirement_profile_id('[]'), '[]')
  on conflict do nothing;
insert into orders.porting_orders (id, account_id, batch_id, status, review_attempt, provider, country_code,
    number_type, customer_reference, losing_carrier, created_at, updated_at, requirement_profile_id)
  select id, account_id, id, case when open then 'in_review' else 'submitted' end, 1, 'manual',
    case when n % 60 = 0 then 'CA' else 'US' end, 'local', 'reference ' || n, 'Verizon', at, at,
    orders.requirement_profile_id('[]') from filled;
insert into orders.order_numbers (order_id, position, account_id, phone_number, live)
  select id, p, account_id, '+1' || (2010000000 + n * 10 + p), false from filled, generate_series(0, 1) p;
insert into reviews.cases (order_id, attempt, account_id, state, submitted_at, due_at, claimed_by, claimed_until)
  select id, 1, account_id, case when open then 'open' else 'decided' end, at, now() + (n - 150000) * interval '1 second',
    case when n % 120 = 0 then (select id from accounts.operators limit 1) end,
    case when n % 120 = 0 then now() + interval '1 day' end from filled;
drop table filled;
vacuum analyze;
`;

async function fill(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  for (const statement of FILL.split(";\n")) await client.query(statement);
  await client.end();
}

interface Way {
  readonly name: string;
  /** `n` is another one in each request, so that counts are not cached. */
  readonly request: (n: number) => SentRequest;
}

const far = (n: number): string => new Date(Date.UTC(2099, 0, 1) + n).toISOString();
const queue = (name: string, query: string): Way => ({
  name,
  request: (n) => ({ path: `/desk/v1/reviews?${query}&due_before=${far(n)}` }),
});

const WAYS: readonly Way[] = [
  { name: "first page, counted in the last 2 s", request: () => ({ path: "/desk/v1/reviews" }) },
  queue("first page", ""),
  queue("page of 250", "limit=250"),
  queue("overdue", "overdue=true"),
  queue("mine", "claimed_by=me"),
  queue("unclaimed", "claimed_by=none"),
  queue("by country", "country_code=CA"),
  queue("by provider without a match", "provider=nobody"),
  queue("by last four digits", "q=4567"),
  queue("by number", "q=%2B12010012340"),
  queue("by number without a match", "q=%2B19999999999"),
  queue("by reference", "q=reference%20299994"),
  queue("by account", "q=number%203"),
  queue("without a match", "q=nothing%20like%20it"),
  {
    name: "next case",
    request: () => ({ method: "POST", path: "/desk/v1/reviews/next", body: {} }),
  },
  {
    name: "next case without a match",
    request: () => ({
      method: "POST",
      path: "/desk/v1/reviews/next",
      body: { provider: "nobody" },
    }),
  },
];

/** Answers of 404 count too: there is no case. */
async function timesOf(product: Product, { request }: Way): Promise<number[]> {
  const requests = openRequests(product.deskUrl, 1, product.deskToken);
  const times: number[] = [];
  try {
    for (let n = 0; n < REQUESTS; n += 1) {
      const startedAt = performance.now();
      await requests.send(request(n)).catch(() => null);
      times.push(performance.now() - startedAt);
    }
  } finally {
    await requests.close();
  }
  return times;
}

/** The desk's queue of 50,000 open cases among 300,000 orders. */
export const reviewQueue: Bench = {
  name: "review-queue",
  run: async (context) => {
    const product = await startProductAt(await context.newPlace(), {
      services: ["requirement-review"],
    });
    try {
      await fill(product.databaseUrl);
      const figures: Figure[] = [];
      for (const way of WAYS) {
        const times = await timesOf(product, way);
        const bound = { kind: "at_most", value: MOST_MS } as const;
        for (const [share, text] of [
          [0.5, "p50"],
          [0.9, "p90"],
        ] as const) {
          const measured = quantile(times, share);
          figures.push({
            name: `queue, ${way.name}, ${text}`,
            measured,
            unit: "ms",
            target: bound,
          });
        }
      }
      return figures;
    } finally {
      await product.stop();
    }
  },
};
