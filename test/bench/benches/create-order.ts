import pg from "pg";
import { Pool as HttpPool } from "undici";
import { startProductAt } from "../../support/product.ts";
import type { Product } from "../../support/product.ts";
import { phoneNumbers } from "../../faults/phone-numbers.ts";
import type { Bench } from "../bench.ts";
import { median, quantile } from "../bench.ts";
import { cpuSecondsOf } from "../process-cpu.ts";
import { sideBySide } from "../side-by-side.ts";

const CONNECTIONS = 8;
const WARM_MS = 3_000;
const MEASURE_MS = 6_000;
const ROUNDS = 3;

function rateOf(work: (connection: number) => Promise<void>, ms: number): Promise<number> {
  return sideBySide(CONNECTIONS, (_done, passedMs) => passedMs >= ms, work);
}

async function insertFloor(databaseUrl: string): Promise<number> {
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client(databaseUrl));
  await Promise.all(clients.map((client) => client.connect()));
  await clients[0]?.query(
    "create table if not exists floor (id uuid primary key, account_id uuid, body text)",
  );
  const account = crypto.randomUUID();
  const insert = {
    name: "floor",
    text: "insert into floor (id, account_id, body) values ($1, $2, $3)",
  };
  const rate = await rateOf(async (connection) => {
    const values = [crypto.randomUUID(), account, "x".repeat(200)];
    await clients[connection]?.query({ ...insert, values });
  }, MEASURE_MS / 2);
  await Promise.all(clients.map((client) => client.end()));
  return rate;
}

function creator(product: Product, latencies: number[]): () => Promise<void> {
  const numbers = phoneNumbers();
  const http = new HttpPool(product.apiUrl, { connections: CONNECTIONS });
  const headers = {
    authorization: `Bearer ${product.apiKey}`,
    "content-type": "application/json",
  };
  return async () => {
    const startedAt = performance.now();
    const body = JSON.stringify({ phone_numbers: [numbers.next().value] });
    const path = "/v2/porting_orders";
    const { statusCode, body: answer } = await http.request({
      path,
      method: "POST",
      headers,
      body,
    });
    await answer.dump();
    if (statusCode !== 201) throw new Error(`create was answered ${statusCode}`);
    latencies.push(performance.now() - startedAt);
  };
}

/** CPU seconds so far of processes with all below them, and of this one by itself: the client. */
function cpuSeconds(processes: ReadonlyMap<number, string>): Map<string, number> {
  const used = cpuSecondsOf(new Set(processes.keys()));
  const { user, system } = process.cpuUsage();
  return new Map([
    ...[...processes].map(([pid, name]) => [name, used.get(pid) ?? 0] as const),
    ["the client", (user + system) / 1_000_000],
  ]);
}

/** One-number orders over REST, the API and Postgres alone, beside a one-row INSERT on as many connections. */
export const createOrder: Bench = {
  name: "create-order",
  run: async (context) => {
    const place = await context.newPlace();
    const env = { DATABASE_POOL_SIZE: String(CONNECTIONS), LOG_LEVEL: "info" };
    const product = await startProductAt(place, { services: ["api"], env });
    const processes = new Map([
      [product.supervisor.service("api").program.pid ?? 0, "the API"],
      [context.stack.part("postgres").pid ?? 0, "Postgres"],
    ]);
    const perOrder = new Map<string, number[]>();
    const latencies: number[] = [];
    const create = creator(product, latencies);
    const [rates, floors]: [number[], number[]] = [[], []];
    try {
      await rateOf(create, WARM_MS);
      latencies.length = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        floors.push(await insertFloor(place.databaseUrl));
        const [before, made] = [cpuSeconds(processes), latencies.length];
        rates.push(await rateOf(create, MEASURE_MS));
        for (const [name, seconds] of cpuSeconds(processes)) {
          const used = (seconds - (before.get(name) ?? 0)) * 1_000;
          perOrder.set(name, [...(perOrder.get(name) ?? []), used / (latencies.length - made)]);
        }
      }
    } finally {
      await product.stop();
    }
    const floor = { what: "one-row INSERT, 8 connections", measured: median(floors) };
    const reported = { kind: "reported" } as const;
    return [
      {
        name: "create order, 8 connections",
        measured: median(rates),
        unit: "orders/s",
        floor,
        target: { kind: "share_of_floor", least: 0.25 },
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
  },
};
