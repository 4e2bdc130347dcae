import type { Pool } from "pg";
import {
  listDeliveries,
  type DeliveryFilter,
} from "../../../../services/domain/webhook/store/deliveries.ts";
import { createPool } from "../../../../services/platform/db/pool.ts";
import { idRange, type CreatedWithin } from "../../../../services/platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../../services/platform/db/transaction.ts";
import { createLogger } from "../../../../services/platform/logger.ts";
import { call, dataOf } from "../../../support/http/call.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { median, type Bench, type BenchContext } from "../bench.ts";
import type { Figure } from "../figure.ts";
import { fillDeliveries } from "../../../support/webhooks/fill-deliveries.ts";
import { readPlan, type ReadPlan } from "../../../support/stack/read-plan.ts";

const FEW = 10_000;
const MANY = 10_000_000;
const ROUNDS = 60;
const WARM_UP = 10;
const PAGE = 50;
const DAY_MS = 86_400_000;
/** A query may read at most a page and one row for each value and month, far fewer than all rows. */
const MOST_ROWS = 2_000;

interface Place {
  readonly product: OwnProduct;
  readonly pool: Pool;
  readonly accountId: string;
  /** The ids of a delivery in the middle of the year. */
  readonly delivery: Readonly<Record<"id" | "event_id" | "endpoint_id" | "order_id", string>>;
}

interface Query {
  readonly name: string;
  readonly filter?: DeliveryFilter;
  readonly cursorId?: string;
  readonly created?: CreatedWithin;
  /** Smaller than a page where ten thousand deliveries have fewer matches. */
  readonly limit?: number;
}

async function openPlace(context: BenchContext, count: number): Promise<Place> {
  const place = await context.newPlace();
  const product = await startProductAt(place, { services: ["api"] });
  const startedAt = performance.now();
  await fillDeliveries(place.databaseUrl, count);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  context.log(`  ${count.toLocaleString("en")} deliveries in ${seconds} s`);
  const log = createLogger("bench", "silent");
  const pool = createPool({ url: place.databaseUrl, service: "bench", size: 1, log });
  const [found] = await queryRows<Place["delivery"] & { account_id: string }>(pool, {
    text: `select id, account_id, event_id, endpoint_id, order_id from webhooks.deliveries
      where created_at >= $1 order by created_at, id limit 1`,
    values: [new Date(Date.now() - 180 * DAY_MS)],
  });
  if (found === undefined) throw new Error("the delivery log is empty");
  return { product, pool, accountId: found.account_id, delivery: found };
}

function queriesOf({ delivery }: Place): Query[] {
  const { id, event_id, endpoint_id: webhook_endpoint_id, order_id } = delivery;
  const created_after = new Date(Date.now() - 120 * DAY_MS);
  const created_before = new Date(Date.now() - 90 * DAY_MS);
  return [
    { name: "no filter" },
    { name: "status", filter: { status: ["failed"] } },
    { name: "two statuses", filter: { status: ["skipped", "failed"] } },
    { name: "event_type", filter: { event_type: ["loa.signed"] } },
    { name: "webhook_endpoint_id", filter: { webhook_endpoint_id } },
    { name: "endpoint and status", filter: { webhook_endpoint_id, status: ["failed"] }, limit: 3 },
    { name: "endpoint and type", filter: { webhook_endpoint_id, event_type: ["loa.signed"] } },
    { name: "porting_order_id", filter: { porting_order_id: order_id } },
    { name: "event_id", filter: { event_id } },
    { name: "failure_code", filter: { failure_code: "200" } },
    { name: "cursor", cursorId: id },
    { name: "dates", created: { created_after, created_before } },
  ];
}

function urlOf({ product }: Place, question: Query): string {
  const { filter = {}, cursorId, created = {}, limit = PAGE } = question;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter })) {
    for (const one of [value].flat()) query.append(name, String(one));
  }
  for (const [name, at] of Object.entries({ ...created })) {
    if (at !== undefined) query.set(name, at.toISOString());
  }
  if (cursorId !== undefined) query.set("starting_after", cursorId);
  return `${product.apiUrl}/v2/webhook_deliveries?limit=${limit}&${query.toString()}`;
}

async function timeOf(place: Place, question: Query): Promise<number> {
  const startedAt = performance.now();
  const page = await call(urlOf(place, question), { key: place.product.apiKey });
  const took = performance.now() - startedAt;
  if (page.status !== 200 || dataOf(page).length === 0) throw new Error(JSON.stringify(page));
  return took;
}

async function planOf({ pool, accountId }: Place, question: Query): Promise<ReadPlan> {
  const rows: unknown[] = [];
  const explaining: Queryable = {
    query: async (config) => {
      const text = `explain (analyze, format json) ${config.text}`;
      const result = await pool.query<Record<string, unknown>>({ ...config, text });
      rows.push(...result.rows);
      return { ...result, rows: [] };
    },
  };
  const { filter = {}, cursorId = null, created = {} } = question;
  const range = idRange({ direction: "desc", cursorId, fetch: PAGE + 1 }, created);
  await listDeliveries(explaining, { accountId, range, filter });
  return readPlan(rows[0], "deliveries_");
}

/** @throws where a page's cost grows with the number of stored rows */
function checkPlan({ name }: Query, { rowsRead, largestSort, readWhole }: ReadPlan): void {
  if (readWhole.length === 0 && rowsRead <= MOST_ROWS && largestSort <= MOST_ROWS) return;
  throw new Error(
    `${name}: ${rowsRead} rows read, ${largestSort} sorted, ${readWhole.join(", ")} read whole`,
  );
}

/** Alternately, so that other load on the machine affects both. */
async function measure(few: Place, many: Place, n: number): Promise<Figure> {
  const [small, large] = [queriesOf(few)[n], queriesOf(many)[n]];
  if (small === undefined || large === undefined) throw new Error("no such query");
  const plan = await planOf(many, large);
  checkPlan(large, plan);
  const times: Record<"few" | "many", number[]> = { few: [], many: [] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const [ofFew, ofMany] = [await timeOf(few, small), await timeOf(many, large)];
    if (round < WARM_UP) continue;
    times.few.push(ofFew);
    times.many.push(ofMany);
  }
  return {
    name: `deliveries by ${large.name}, ${plan.relations.size} months, p50`,
    measured: median(times.many),
    unit: "ms",
    floor: { what: "of 10 thousand", measured: median(times.few) },
    target: { kind: "at_most_of_floor", accept: 1.3, goal: 1.1 },
  };
}

/** A page of the delivery log of an account with ten million deliveries, and of one with ten thousand. */
export const deliveryList: Bench = {
  name: "delivery-list",
  area: "API",
  once: true,
  run: async (context) => {
    const places: Place[] = [];
    try {
      const few = await openPlace(context, FEW);
      places.push(few);
      const many = await openPlace(context, MANY);
      places.push(many);
      const figures: Figure[] = [];
      for (const n of queriesOf(many).keys()) figures.push(await measure(few, many, n));
      return figures;
    } finally {
      for (const { pool, product } of places) {
        await pool.end();
        await product.stop();
      }
    }
  },
};
