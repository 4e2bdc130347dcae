import pg from "pg";

export interface ReviewQueueSize {
  readonly orders: number;
  /** Every so many orders one is in review; a divisor of 60. */
  readonly openEvery: number;
}

/** 50,000 open cases among 300,000 orders. */
export const OPEN_CASES_50_000: ReviewQueueSize = { orders: 300_000, openEvery: 6 };

/** Ten accounts, two numbers an order; half of the cases are overdue, every 120th order's is claimed. */
const fillOf = ({ orders, openEvery }: ReviewQueueSize): string => `
insert into accounts.accounts (id, name, status, created_at)
  select gen_random_uuid(), 'Account number ' || n, 'active', now() from generate_series(1, 10) n;
create temporary table filled as
  select gen_random_uuid() as id, n, timestamptz '2026-01-01' + n * interval '1 minute' as at, n % ${openEvery} = 0 as open,
    (array(select id from accounts.accounts where name like 'Account number %' order by id))[1 + n % 10] as account_id
  from generate_series(1, ${orders}) n;
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
  select id, 1, account_id, case when open then 'open' else 'decided' end, at, now() + (n - ${orders / 2}) * interval '1 second',
    case when n % 120 = 0 then (select id from accounts.operators limit 1) end,
    case when n % 120 = 0 then now() + interval '1 day' end from filled;
drop table filled;
vacuum analyze;
`;

/** Written to the tables, not through the API, which would take an hour. */
export async function fillReviewQueue(databaseUrl: string, size: ReviewQueueSize): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  for (const statement of fillOf(size).split(";\n")) await client.query(statement);
  await client.end();
}
