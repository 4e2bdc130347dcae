import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { z } from "zod";
import { phoneNumbers } from "../../faults/phone-numbers.ts";
import { call, dataOf } from "../../../support/http/call.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { median, quantile, type Bench } from "../bench.ts";
import type { Figure } from "../figure.ts";
import { openRequests, sideBySide, type HttpRequests } from "../http-requests.ts";
import { residentMb } from "../process-use.ts";

const CONNECTIONS = 8;
const STORED = 1_000;
const WARM_MS = 2_000;
const MEASURE_MS = 3_000;
const ROUNDS = 3;
const MOST_NUMBERS = 1_000;
const WARM_REQUESTS = 30_000;
const REQUESTS = 80_000;
const SAMPLES = 20;
const REQUESTS_A_SAMPLE = 1_000;
const FLAT_MB = 30;

const EMPTY_ROUTE = join(import.meta.dirname, "../empty-route.ts");

async function startEmptyRoute(): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [EMPTY_ROUTE], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = z.tuple([z.instanceof(Buffer)]).parse(await once(child.stdout, "data"));
  const port = Number(line.toString().trim());
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    },
  };
}

interface Way {
  readonly name: string;
  readonly next: () => string;
}

interface Measured {
  readonly rates: number[];
  readonly latencies: number[];
}

async function measure(
  requests: HttpRequests,
  next: () => string,
  { rates, latencies }: Measured,
): Promise<void> {
  rates.push(
    await sideBySide(
      CONNECTIONS,
      (_done, passedMs) => passedMs >= MEASURE_MS,
      async () => {
        latencies.push(await requests.send({ path: next() }));
      },
    ),
  );
}

/** Measures reads alternately with the empty route. */
async function measureReads(
  requests: HttpRequests,
  floor: HttpRequests,
  ways: readonly Way[],
): Promise<Figure[]> {
  const empty: Measured = { rates: [], latencies: [] };
  const found = ways.map((way) => ({ way, measured: { rates: [], latencies: [] } }));
  const warm = (_done: number, passedMs: number): boolean => passedMs >= WARM_MS;
  for (const { next } of ways) {
    await sideBySide(CONNECTIONS, warm, async () => {
      await requests.send({ path: next() });
    });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    await measure(floor, () => "/", empty);
    for (const { way, measured } of found) await measure(requests, way.next, measured);
  }
  const least = { what: "empty Koa route", measured: median(empty.rates) };
  const target = { kind: "reported" } as const;
  return found.flatMap(({ way: { name }, measured: { rates, latencies } }): Figure[] => [
    {
      name,
      measured: median(rates),
      unit: "requests/s",
      floor: least,
      target,
    },
    { name: "  p50", measured: quantile(latencies, 0.5), unit: "ms", target },
    { name: "  p99", measured: quantile(latencies, 0.99), unit: "ms", target },
  ]);
}

async function createMany(
  requests: HttpRequests,
  numbers: Generator<string, never>,
): Promise<Figure> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const phone_numbers = Array.from({ length: MOST_NUMBERS }, () => numbers.next().value);
    const body = { phone_numbers };
    times.push(await requests.send({ method: "POST", path: "/v2/porting_orders", body }));
  }
  return {
    name: `create order with ${MOST_NUMBERS} numbers`,
    measured: median(times),
    unit: "ms",
    target: { kind: "at_most", accept: 1_000 },
  };
}

/**
 * Compares the lowest of several samples with the lowest of as many at the end: one sample mostly shows how long ago
 * the last garbage collection was.
 */
async function memoryGrowth(product: OwnProduct, requests: HttpRequests, ways: readonly Way[]) {
  const pid = product.supervisor.service("api").program.pid ?? 0;
  let turn = 0;
  const next = (): string => {
    turn += 1;
    return ways[turn % ways.length]?.next() ?? "/";
  };
  const sendMany = (count: number) =>
    sideBySide(
      CONNECTIONS,
      (done) => done >= count,
      async () => {
        await requests.send({ path: next() });
      },
    );
  const lowest = async (): Promise<number> => {
    const samples: number[] = [];
    for (let taken = 0; taken < SAMPLES; taken += 1) {
      await sendMany(REQUESTS_A_SAMPLE);
      samples.push(residentMb(pid));
    }
    return Math.min(...samples);
  };
  await sendMany(WARM_REQUESTS);
  const before = await lowest();
  await sendMany(REQUESTS);
  const after = await lowest();
  const name = `growth of the API's memory over ${REQUESTS.toLocaleString("en")} requests`;
  const target = { kind: "at_most", accept: FLAT_MB } as const;
  return { name, measured: Math.max(0, after - before), unit: "MB", target };
}

/** Reads over REST beside an empty route, an order of the largest size, and the API's memory over many requests. */
export const apiRequests: Bench = {
  name: "api-requests",
  area: "API",
  run: async (context) => {
    const env = { LOG_LEVEL: "info", DATABASE_POOL_SIZE: String(CONNECTIONS) };
    const product = await startProductAt(await context.newPlace(), { services: ["api"], env });
    const empty = await startEmptyRoute();
    const requests = openRequests(product.apiUrl, CONNECTIONS, product.apiKey);
    const floor = openRequests(empty.url, CONNECTIONS);
    try {
      const numbers = phoneNumbers();
      const ids: string[] = [];
      for (let made = 0; made < STORED; made += 1) {
        const body = { phone_numbers: [numbers.next().value] };
        const options = { method: "POST", key: product.apiKey, body };
        const answer = await call(`${product.apiUrl}/v2/porting_orders`, options);
        ids.push(z.string().parse(dataOf(answer)[0]?.["id"]));
      }
      let turn = 0;
      const nextId = (): string => {
        turn += 1;
        return ids[turn % ids.length] ?? "";
      };
      const ways: Way[] = [
        {
          name: "read an order",
          next: () => `/v2/porting_orders/${nextId()}`,
        },
        { name: "readiness", next: () => `/v2/porting_orders/${nextId()}/readiness` },
        {
          name: "list of 50 orders",
          next: () => "/v2/porting_orders",
        },
      ];
      const reads = await measureReads(requests, floor, ways);
      const many = await createMany(requests, numbers);
      return [...reads, many, await memoryGrowth(product, requests, ways.slice(0, 2))];
    } finally {
      await requests.close();
      await floor.close();
      await empty.stop();
      await product.stop();
    }
  },
};
