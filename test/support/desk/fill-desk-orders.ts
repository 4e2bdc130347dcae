import pg from "pg";

const ACCOUNTS = 200;
const NUMBERS_EACH = 3;

/** One order a minute until now, over 200 accounts, of varied kinds; the first account has half of them. */
const ORDERS = `insert into orders.porting_orders (id, account_id, batch_id, status, provider, country_code,
    number_type, losing_carrier, customer_reference, requirement_profile_id, foc_actual, attention, created_at, updated_at)
  select messaging.uuid_at(s.at), a.id, messaging.uuid_at(s.at),
    case when s.n % 3000 = 7 then 'rejection' when s.n % 100 = 1 then 'in_review'
      when s.n % 50 = 2 then 'foc_scheduled' when s.n % 10 = 3 then 'cancelled' else 'completed' end,
    case when s.n % 5000 = 9 then 'manual' else 'sandbox' end,
    (array['US', 'GB', 'FR', 'DE'])[1 + s.n % 4], 'local',
    case when s.n % 4000 = 11 then 'Rare Bell' else (array['Verizon', 'O2', 'Orange'])[1 + s.n % 3] end,
    case when s.n % 2 = 0 then 'same for all' else 'PO-' || s.n end,
    (select id from orders.requirement_profiles limit 1),
    case when s.n % 50 = 2 then to_char(s.at + interval '10 days', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end,
    case when s.n % 2000 = 5 then '{"reason": "The carrier has not answered.", "raised_at": "2026-01-01T00:00:00.000Z"}'::jsonb end,
    s.at, s.at
  from (select n, now() - ($1 - n) * interval '1 minute' as at from generate_series(1, $1::integer) n) s
  join (select id, row_number() over (order by name) as nth from accounts.accounts where name like 'Desk %') a
    on a.nth = case when s.n % 2 = 0 then 1 else 1 + s.n % ${ACCOUNTS} end`;

const NUMBERS = `insert into orders.order_numbers (order_id, position, account_id, phone_number, live)
  select o.id, p, o.account_id, '+1212' || lpad(((o.n * ${NUMBERS_EACH} + p) % 10000000)::text, 7, '0'), false
  from (select id, account_id, row_number() over (order by id) as n from orders.porting_orders) o
  cross join generate_series(0, ${NUMBERS_EACH - 1}) p`;

/** Half of the reviews are overdue. */
const CASES = `insert into reviews.cases (order_id, attempt, account_id, state, submitted_at, due_at)
  select id, 1, account_id, 'open', created_at,
    now() + case when ascii(right(id::text, 1)) % 2 = 0 then -1 else 1 end * interval '1 hour'
  from orders.porting_orders where status = 'in_review'`;

const LETTERS = `insert into messaging.dead_letters (id, consumer, topic, kafka_partition, kafka_offset, key, error_code,
    error_detail)
  select gen_random_uuid(), 'carrier-adapter', 'carriers.updates', 0, row_number() over (),
    convert_to(id::text, 'UTF8'), 'rule_broken', 'x'
  from (select id from orders.porting_orders order by id limit 20) o`;

/** Fills a new database with orders of many accounts, as the desk sees them. */
export async function fillDeskOrders(databaseUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`insert into accounts.accounts (id, name, status, created_at)
      select gen_random_uuid(), 'Desk ' || lpad(n::text, 3, '0'), 'active', now() from generate_series(1, ${ACCOUNTS}) n`);
    await client.query(
      `insert into orders.requirement_profiles (id, items) values (gen_random_uuid(), '[]')`,
    );
    await client.query(ORDERS, [count]);
    for (const text of [NUMBERS, CASES, LETTERS]) await client.query(text);
    for (const table of ["orders.porting_orders", "orders.order_numbers", "reviews.cases"]) {
      await client.query(`vacuum (analyze) ${table}`);
    }
  } finally {
    await client.end();
  }
}
