import pg from "pg";
import { Pool as HttpPool } from "undici";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { phoneNumbers } from "../../faults/phone-numbers.ts";
import { median, quantile, type Bench } from "../bench.ts";
import type { Figure } from "../figure.ts";
import { cpuSecondsOf } from "../process-use.ts";
import { sideBySide } from "../http-requests.ts";

/** A few clients, and enough to keep both cores busy. */
const CONNECTIONS = [8, 64] as const;
const POOL_SIZE = 8;
const WARM_MS = 2_000;
const MEASURE_MS = 4_000;
const ROUNDS = 3;

function rateOf(
  connections: number,
  work: (connection: number) => Promise<void>,
  ms: number,
): Promise<number> {
  return sideBySide(connections, (_done, passedMs) => passedMs >= ms, work);
}

async function insertFloor(databaseUrl: string, connections: number): Promise<number> {
  const clients = Array.from({ length: connections }, () => new pg.Client(databaseUrl));
  await Promise.all(clients.map((client) => client.connect()));
  await clients[0]?.query(
    "create table if not exists floor (id uuid primary key, account_id uuid, body text)",
  );
  const account = crypto.randomUUID();
  const insert = {
    name: "floor",
    text: "insert into floor (id, account_id, body) values ($1, $2, $3)",
  };
  const insertOne = async (connection: number): Promise<void> => {
    const values = [crypto.randomUUID(), account, "x".repeat(200)];
    await clients[connection]?.query({ ...insert, values });
  };
  const rate = await rateOf(connections, insertOne, MEASURE_MS / 2);
  await Promise.all(clients.map((client) => client.end()));
  return rate;
}

interface Creator {
  readonly create: () => Promise<void>;
  /** The latency of each order, in milliseconds. */
  readonly latencies: number[];
  readonly close: () => Promise<void>;
}

function creator(product: OwnProduct, numbers: Iterator<string>, connections: number): Creator {
  const latencies: number[] = [];
  const http = new HttpPool(product.apiUrl, { connections });
  const headers = {
    authorization: `Bearer ${product.apiKey}`,
    "content-type": "application/json",
  };
  const create = async (): Promise<void> => {
    const startedAt = performance.now();
    const body = JSON.stringify({ phone_numbers: [numbers.next().value] });
    const path = "/v2/porting_orders";
    const answer = await http.request({ path, method: "POST", headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 201) throw new Error(`create returned ${answer.statusCode}`);
    latencies.push(performance.now() - startedAt);
  };
  return { create, latencies, close: () => http.close() };
}

/** CPU seconds so far of processes with their descendants, and of this process alone, the client. */
function cpuSeconds(processes: ReadonlyMap<number, string>): Map<string, number> {
  const used = cpuSecondsOf(new Set(processes.keys()));
  const { user, system } = process.cpuUsage();
  return new Map([
    ...[...processes].map(([pid, name]) => [name, used.get(pid) ?? 0] as const),
    ["the client", (user + system) / 1_000_000],
  ]);
}

interface Load {
  readonly product: OwnProduct;
  readonly databaseUrl: string;
  readonly numbers: Iterator<string>;
  /** The processes whose CPU is counted: name by pid. */
  readonly processes: ReadonlyMap<number, string>;
}

/** Alternate rounds of the floor and of creations, each on `connections` connections. */
async function measure(load: Load, connections: number): Promise<Figure[]> {
  const { create, latencies, close } = creator(load.product, load.numbers, connections);
  const [rates, floors]: [number[], number[]] = [[], []];
  const perOrder = new Map<string, number[]>();
  await rateOf(connections, create, WARM_MS);
  latencies.length = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    floors.push(await insertFloor(load.databaseUrl, connections));
    const [before, made] = [cpuSeconds(load.processes), latencies.length];
    rates.push(await rateOf(connections, create, MEASURE_MS));
    for (const [name, seconds] of cpuSeconds(load.processes)) {
      const used = (seconds - (before.get(name) ?? 0)) * 1_000;
      perOrder.set(name, [...(perOrder.get(name) ?? []), used / (latencies.length - made)]);
    }
  }
  await close();
  const floor = {
    what: `one-row INSERT, ${connections} connections`,
    measured: median(floors),
  };
  const reported = { kind: "reported" } as const;
  return [
    {
      name: `create order, ${connections} connections`,
      measured: median(rates),
      unit: "orders/s",
      floor,
      target: { kind: "at_least_of_floor", accept: 0.25 },
    },
    { name: "  p50", measured: quantile(latencies, 0.5), unit: "ms", target: reported },
    { name: "  p99", measured: quantile(latencies, 0.99), unit: "ms", target: reported },
    ...[...perOrder].map(([name, ms]) => ({
      name: `  CPU of ${name} per order`,
      measured: median(ms),
      unit: "ms",
      target: reported,
    })),
  ];
}

/** One-number orders over REST with only the API and Postgres, beside a one-row INSERT on as many connections. */
export const createOrder: Bench = {
  name: "create-order",
  area: "API",
  run: async (context) => {
    const place = await context.newPlace();
    const env = { DATABASE_POOL_SIZE: String(POOL_SIZE), LOG_LEVEL: "info" };
    const product = await startProductAt(place, { services: ["api"], env });
    const processes = new Map([
      [product.supervisor.service("api").program.pid ?? 0, "the API"],
      [context.stack.part("postgres").pid ?? 0, "Postgres"],
    ]);
    const { databaseUrl } = place;
    const load = { product, databaseUrl, numbers: phoneNumbers(), processes };
    const figures: Figure[] = [];
    try {
      for (const connections of CONNECTIONS) figures.push(...(await measure(load, connections)));
    } finally {
      await product.stop();
    }
    return figures;
  },
};
