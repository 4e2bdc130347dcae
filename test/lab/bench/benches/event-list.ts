import pg from "pg";
import { call, dataOf, textOf } from "../../../support/http/call.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { median, type Bench } from "../bench.ts";
import { catchUp } from "../catch-up.ts";
import type { Figure } from "../figure.ts";

const FEW = 10_000;
const MANY = 10_000_000;
const CAUGHT_UP = 1_000_000;
const EVENTS_PER_ORDER = 10;
const ROUNDS = 60;
const WARM_UP = 10;
const PAGE = 100;
const MONTH_START = "2024-01-01T00:00:00.000Z";
const MONTH_END = "2024-02-01T00:00:00.000Z";
const MONTH_MS = Date.parse(MONTH_END) - Date.parse(MONTH_START);

interface Account {
  readonly id: string;
  readonly key: string;
  readonly stored: number;
}

/** Events evenly over one month, ten for each order, one in ten of another type. */
const FILL = `insert into events.log_filled
    (id, account_id, seq, type, order_id, sequence_key, order_sequence, created_at, reached, body)
  select e.id, $1::uuid, e.n, e.type, e.order_id, e.order_id::text, e.n % $3 + 1, e.at, e.at,
    convert_to(format('{"id":"%s","type":"%s","created_at":"%s","payload":{"porting_order":{"id":"%s"}}}',
      e.id, e.type, to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), e.order_id), 'UTF8')
  from (
    select n, at, messaging.uuid_at(at) as id,
      case when n % 10 = 0 then 'loa.signed' else 'porting_order.created' end as type,
      overlay(overlay(md5($1 || n / $3) placing '7' from 13) placing '8' from 17)::uuid as order_id
    from (select n, date_trunc('milliseconds', $4::timestamptz + n * ($5::float8 / $2) * interval '1 ms') as at
      from generate_series(1, $2::bigint - 1) n) times
  ) e`;

/** A whole month of the log, attached after it is filled so that each index is built at once. */
async function fill(client: pg.Client, accounts: readonly Account[]): Promise<void> {
  await client.query("create table events.log_filled (like events.log including defaults)");
  for (const { id, stored } of accounts) {
    await client.query(FILL, [id, stored, EVENTS_PER_ORDER, MONTH_START, MONTH_MS]);
    await client.query("insert into events.feed_counters values ($1, $2, $3)", [
      id,
      stored - 1,
      MONTH_END,
    ]);
  }
  await client.query(`alter table events.log attach partition events.log_filled
    for values from ('${MONTH_START}') to ('${MONTH_END}')`);
  await client.query("vacuum analyze events.log_filled");
}

async function newAccount(product: OwnProduct, stored: number): Promise<Account> {
  const made = await call(`${product.deskUrl}/desk/v1/accounts`, {
    method: "POST",
    key: product.deskToken,
    body: { name: "bench" },
  });
  return { id: textOf(made, "id"), key: textOf(made, "api_key"), stored };
}

/** The query of each kind of list, from the middle of an account's feed. */
async function queriesOf(
  client: pg.Client,
  account: Account,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ id: string; order_id: string; created_at: Date }>(
    "select id, order_id, created_at from events.log where account_id = $1 and seq = $2",
    [account.id, Math.floor(account.stored / 2)],
  );
  const [middle] = rows;
  if (middle === undefined) throw new Error("the feed has no middle");
  const spanMs = (MONTH_MS / account.stored) * PAGE;
  const before = new Date(middle.created_at.getTime() + Math.ceil(spanMs)).toISOString();
  const dates = `created_after=${middle.created_at.toISOString()}&created_before=${before}`;
  return new Map([
    ["the newest page", "order=desc"],
    ["by cursor", `order=asc&starting_after=${middle.id}`],
    ["by cursor, backward", `order=desc&starting_after=${middle.id}`],
    ["by type", `type=loa.signed&starting_after=${middle.id}`],
    ["by order", `porting_order_id=${middle.order_id}`],
    ["by dates, newest first", `order=desc&${dates}`],
    ["by dates and type", `type=loa.signed&order=asc&${dates}`],
  ]);
}

async function timeOf(product: OwnProduct, { key }: Account, query: string): Promise<number> {
  const startedAt = performance.now();
  const url = `${product.apiUrl}/v2/porting/events?limit=${PAGE}&${query}`;
  const answer = await call(url, { key });
  if (answer.status !== 200) throw new Error(`${query} returned ${answer.status}`);
  if (dataOf(answer).length === 0) throw new Error(`${query} returned no events`);
  return performance.now() - startedAt;
}

/** Reads pages of both accounts alternately, so that other load affects both. */
async function comparePages(
  product: OwnProduct,
  client: pg.Client,
  [few, many]: readonly [Account, Account],
): Promise<Figure[]> {
  const ofFew = await queriesOf(client, few);
  const ofMany = await queriesOf(client, many);
  const figures: Figure[] = [];
  for (const [name, query] of ofMany) {
    const [times, floors]: [number[], number[]] = [[], []];
    for (let n = 0; n < ROUNDS; n += 1) {
      const floor = await timeOf(product, few, ofFew.get(name) ?? "");
      const time = await timeOf(product, many, query);
      if (n < WARM_UP) continue;
      floors.push(floor);
      times.push(time);
    }
    figures.push({
      name: `event list ${name}, ${MANY.toLocaleString("en")} stored, p50`,
      measured: median(times),
      unit: "ms",
      floor: { what: `of ${FEW.toLocaleString("en")}`, measured: median(floors) },
      target: { kind: "at_most_of_floor", accept: 1.3, goal: 1.1 },
    });
  }
  return figures;
}

/** Pages of the list with many events stored and with few, and a reader that catches up. */
export const eventList: Bench = {
  name: "event-list",
  area: "API",
  once: true,
  run: async (context) => {
    const place = await context.newPlace();
    const product = await startProductAt(place, { services: ["api", "desk"] });
    const client = new pg.Client(place.databaseUrl);
    await client.connect();
    try {
      const accounts = [await newAccount(product, FEW), await newAccount(product, MANY)] as const;
      const startedAt = performance.now();
      await fill(client, accounts);
      context.log(`filled in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
      const pages = await comparePages(product, client, accounts);
      const { key } = accounts[1];
      return [...pages, await catchUp(product, { key, events: CAUGHT_UP, isWholeFeed: false })];
    } finally {
      await client.end();
      await product.stop();
    }
  },
};
