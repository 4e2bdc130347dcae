/** @tier all */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { call, dataOf, type Answer } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { startProductAt, type OwnProduct } from "../../support/product/product.ts";
import { startOwnStack } from "../../support/stack/own-stack.ts";
import { startStandby, type Standby } from "../../support/stack/standby.ts";
import { testStack } from "../../support/stack/test-stack.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const MAX_LAG_MS = 2_000;
/** A check a second, and what is left of the statement that it waits for. */
const NOTICED_MS = MAX_LAG_MS + 5_000;
let product: OwnProduct;
let standby: Standby;
let serial = 0;

beforeAll(async () => {
  const { kafka_brokers: kafkaBrokers, schema_registry_url: registryUrl } = testStack();
  const stack = await startOwnStack({
    existing: { kafkaBrokers, registryUrl },
    durable: false,
    walArchive: join(temporaryFolder("replica"), "archive"),
    onDatabase: migrate,
  });
  standby = await startStandby(stack.addresses.databaseUrl);
  product = await startProductAt(stack.addresses, {
    services: ["api", "desk", "event-log", "outbox-relay"],
    topicPrefix: await createTestTopics(),
    env: { DATABASE_READ_URL: standby.url, DATABASE_READ_MAX_LAG: `${MAX_LAG_MS}ms` },
  });
});

const get = (path: string): Promise<Answer> => call(product.apiUrl + path, { key: product.apiKey });

async function createOrder(): Promise<{ id: string; number: string }> {
  serial += 1;
  const number = `+1212555${String(6_000 + serial)}`;
  const { apiUrl, apiKey: key } = product;
  const body = { phone_numbers: [number] };
  const made = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
  return { id: z.string().parse(dataOf(made)[0]?.["id"]), number };
}

async function idsOf(path: string, field = "id"): Promise<string[]> {
  return dataOf(await get(path)).map((one) => z.string().parse(one[field]));
}

const feed = "/v2/porting/events?limit=250";
const hasEventOf = (id: string) =>
  eventually(async () => expect(await idsOf(feed, "order_id")).toContain(id));

type Database = "replica" | "primary";

async function readsFrom(database: Database, url = product.apiUrl): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = new RegExp(`^lagging_reads_total\\{database="${database}".*\\} (\\d+)$`, "m");
  return Number(line.exec(text)?.[1] ?? 0);
}

const readCounts = async () => ({
  replica: await readsFrom("replica"),
  primary: await readsFrom("primary"),
});

/** Waits until a read is answered by the given database: who asks for the metrics again at once gets the same page. */
async function usesNow(database: Database, path = "/v2/porting_orders"): Promise<void> {
  let last = await readCounts();
  await eventually(async () => {
    const before = last;
    await get(path);
    last = await readCounts();
    expect(last[database]).toBeGreaterThan(before[database]);
  }, NOTICED_MS);
}

describe("reads from a replica", () => {
  it("answer feed, list of orders and statistics", async () => {
    const { id } = await createOrder();
    await hasEventOf(id);
    await usesNow("replica");
    await eventually(async () => expect(await idsOf("/v2/porting_orders")).toContain(id));
    await usesNow("replica", feed);
    expect(await idsOf(feed, "order_id")).toContain(id);

    const { deskUrl, deskToken: key } = product;
    await eventually(async () => {
      const statistics = await call(`${deskUrl}/desk/v1/statistics`, { key });
      expect(statistics.status).toBe(200);
      expect(await readsFrom("replica", deskUrl)).toBeGreaterThan(0);
    });
  });

  it("miss nothing that the contract promises while the replica lags", async () => {
    await usesNow("replica");
    await standby.pauseReplay();
    try {
      const { id, number } = await createOrder();
      expect((await get(`/v2/porting_orders/${id}`)).status).toBe(200);
      const encoded = encodeURIComponent(number);
      expect(await idsOf(`/v2/porting_orders?phone_number=${encoded}`)).toEqual([id]);
      expect((await get(`/v2/porting_orders?starting_after=${id}`)).status).toBe(200);
      await hasEventOf(id);
      await usesNow("primary");
      expect(await idsOf("/v2/porting_orders")).toContain(id);
    } finally {
      await standby.resumeReplay();
    }
    await usesNow("replica");
  });

  it("leave a reader of the feed no gap, whichever database answers", async () => {
    const seen: string[] = [];
    const made: string[] = [];
    const follow = async (): Promise<void> => {
      const after = seen.length === 0 ? "" : `&starting_after=${seen.at(-1) ?? ""}`;
      seen.push(...(await idsOf(`/v2/porting/events?order=asc&limit=10${after}`)));
    };
    for (let round = 0; round < 6; round += 1) {
      await (round % 2 === 0 ? standby.pauseReplay() : standby.resumeReplay());
      for (let n = 0; n < 5; n += 1) {
        made.push((await createOrder()).id);
        await follow();
      }
    }
    await hasEventOf(made.at(-1) ?? "");
    await eventually(async () => {
      await follow();
      const all = await idsOf("/v2/porting/events?order=asc&limit=250");
      expect(seen).toEqual(all);
    });
    expect(seen.length).toBeGreaterThanOrEqual(made.length);
  });

  it.each(["killed", "frozen"] as const)("go on without one that is %s", async (how) => {
    await usesNow("replica");
    if (how === "killed") await standby.program.stop(0);
    else standby.freeze();
    const statuses: number[] = [];
    for (let n = 0; n < 30; n += 1) {
      const path = n % 2 === 0 ? "/v2/porting_orders" : feed;
      statuses.push((await get(path)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    await usesNow("primary");
    if (how === "killed") standby.program.start();
    else standby.thaw();
    await standby.program.whenReady(30_000);
    await usesNow("replica");
  });
});
