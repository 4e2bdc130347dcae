import pg from "pg";

const MONTHS = 12;
const ENDPOINTS = 10;
const TYPES = [
  "porting_order.status_changed",
  "porting_order.created",
  "porting_order.requirement_updated",
  "call.completed",
  "call.forwarded",
  "number.activated",
  "loa.signed",
];
const TABLES = ["webhooks.deliveries", "events.log"];

interface Month {
  readonly suffix: string;
  readonly from: string;
  readonly to: string;
  /** Milliseconds between two events. */
  readonly stepMs: number;
  readonly firstSeq: number;
}

/** The last twelve calendar months, including all of the current one. */
function lastMonths(now: Date, perMonth: number): Month[] {
  return Array.from({ length: MONTHS }, (_, n) => {
    const first = now.getUTCMonth() - MONTHS + 1 + n;
    const from = new Date(Date.UTC(now.getUTCFullYear(), first, 1));
    const to = new Date(Date.UTC(now.getUTCFullYear(), first + 1, 1));
    return {
      suffix: from.toISOString().slice(0, 7).replace("-", ""),
      from: from.toISOString(),
      to: to.toISOString(),
      stepMs: Math.floor((to.getTime() - from.getTime()) / perMonth),
      firstSeq: n * perMonth,
    };
  });
}

/** The table of a partition before it is attached: unlogged and without indexes. */
function emptyTables({ suffix }: Month): string {
  return TABLES.map(
    (table) => `drop table if exists ${table}_${suffix};
      create unlogged table ${table}_${suffix} (like ${table} including defaults including constraints);`,
  ).join("\n");
}

function eventRows({ suffix, from, stepMs, firstSeq }: Month, perMonth: number): string {
  const types = TYPES.map((type) => `'${type}'`).join(", ");
  return `insert into events.log_${suffix}
      (id, account_id, seq, type, order_id, sequence_key, created_at, stored_at, reached, body)
    select messaging.uuid_at(s.at), a.id, ${firstSeq} + s.n + 1, (array[${types}])[1 + s.n % ${TYPES.length}],
      ('0195c000-0000-7000-8000-' || lpad(to_hex((${firstSeq} + s.n) / 20), 12, '0'))::uuid, 'x', s.at, s.at, s.at,
      convert_to(json_build_object('id', s.n, 'payload', repeat('x', 600))::text, 'UTF8')
    from (select id from accounts.accounts limit 1) a cross join (
      select n, timestamptz '${from}' + n * interval '${stepMs} ms' as at
      from generate_series(0, ${perMonth - 1}) n
    ) s`;
}

/** One in a hundred failed, one in a thousand was skipped, one in ten thousand was cancelled. */
function deliveryRows({ suffix }: Month): string {
  return `insert into webhooks.deliveries_${suffix} (id, created_at, account_id, event_id, event_type, event_at,
      cause_id, trigger, endpoint_id, endpoint_key, order_id, url, status, attempt_count, completed_at, attempt_log)
    select messaging.uuid_at(l.created_at), l.created_at, l.account_id, l.id, l.type, l.created_at,
      l.id, 'event', e.id, e.id, l.order_id, 'https://hooks.example.com/porting/' || e.n,
      case when n.of % 10000 = 11 then 'cancelled' when n.of % 1000 = 3 then 'skipped'
        when n.of % 100 = 7 then 'failed' else 'succeeded' end,
      1, l.created_at, '[{"attempt": 1, "started_at": "2026-01-01T00:00:00.000Z", "duration_ms": 12,
        "response_code": 200, "error": null, "response_body": "ok"}]'
    from events.log_${suffix} l
    cross join (
      select n, ('0195c000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid as id
      from generate_series(1, ${ENDPOINTS}) n
    ) e
    cross join lateral (select hashint8extended(l.seq, e.n) & 1048575 as of) n`;
}

function attached({ suffix, from, to }: Month): string {
  return TABLES.map(
    (table) =>
      `alter table ${table} attach partition ${table}_${suffix} for values from ('${from}') to ('${to}');`,
  ).join("\n");
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("set maintenance_work_mem = '512MB'");
  return client;
}

/**
 * Gives the first account of a new database `count` deliveries over a year, ten for each event, and the events. Rows
 * are inserted before their indexes exist, as when a partition is restored.
 */
export async function fillDeliveries(databaseUrl: string, count: number): Promise<void> {
  const perMonth = Math.ceil(count / ENDPOINTS / MONTHS);
  const months = lastMonths(new Date(), perMonth);
  const [first, second] = await Promise.all([connect(databaseUrl), connect(databaseUrl)]);
  const fill = async (client: pg.Client, some: readonly Month[]) => {
    for (const month of some) {
      await client.query(eventRows(month, perMonth));
      await client.query(deliveryRows(month));
    }
  };
  try {
    for (const month of months) await first.query(emptyTables(month));
    await Promise.all([fill(first, months.slice(0, 6)), fill(second, months.slice(6))]);
    for (const month of months) await first.query(attached(month));
    for (const table of TABLES) await first.query(`vacuum (analyze) ${table}`);
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}
