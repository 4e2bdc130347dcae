import pg from "pg";

const ORDERS = 300_000;

/** Every sixth order is in review: 50,000 open cases. Ten accounts, two numbers an order. */
const FILL = `
insert into accounts.accounts (id, name, status, created_at)
  select gen_random_uuid(), 'Account number ' || n, 'active', now() from generate_series(1, 10) n;
create temporary table filled as
  select gen_random_uuid() as id, n, timestamptz '2026-01-01' + n * interval '1 minute' as at, n % 6 = 0 as open,
    (array(select id from accounts.accounts where name like 'Account number %' order by id))[1 + n % 10] as account_id
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

/** 50,000 open cases among 300,000 orders of ten accounts. */
export async function fillReviewQueue(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  for (const statement of FILL.split(";\n")) await client.query(statement);
  await client.end();
}
