import { describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { MetricsPage } from "../../../test/support/http/metrics-page.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { createConsumerMetrics, onceEach } from "./topic-consumer.ts";

const position = { topic: "orders", partition: 0, nextOffset: 8 };
const message = buildRawMessage({ topic: "orders", offset: 7 });

describe("onceEach", () => {
  it("leaves connections to other partitions when it tries again what waited for a lock", async () => {
    let tries = 0;
    let apart = 0;
    const query = () => Promise.resolve({ rows: [{ message_id: message.messageId }] });
    const client = { query, release: () => undefined };
    const bus = {
      pool: { connect: () => Promise.resolve(client) } as unknown as Pool,
      apart: (work: () => Promise<void>) => {
        apart += 1;
        return work();
      },
    };
    const { apply } = onceEach<string>(bus, "planted", () => {
      tries += 1;
      if (tries > 1) return Promise.resolve();
      return Promise.reject(Object.assign(new Error("a lock"), { code: "55P03" }));
    });
    const batch = [[{ message: "", raw: message }], position] as const;
    await expect(apply(...batch)).rejects.toMatchObject({ retryable: true });
    expect([tries, apart]).toEqual([1, 0]);
    await apply(...batch);
    expect([tries, apart]).toEqual([2, 1]);
    await apply(...batch);
    expect([tries, apart]).toEqual([3, 1]);
  });
});

const TOPICS = ["carriers.updates", "porting.events"] as const;

function setUp() {
  const metrics = createMetrics("test");
  const of = (consumer: string) => createConsumerMetrics(metrics, { consumer, topics: TOPICS });
  const page = async () => new MetricsPage((await metrics.page()).text);
  return { of, page };
}

describe("a consumer's dead letters", () => {
  it("are counted from 0 on, so that a burst of a code that never came before is an increase", async () => {
    const { of, page } = setUp();
    const consumer = of("readers");
    const name = "dead_letters_total";
    const burst = { consumer: "readers", topic: "carriers.updates", code: "undecodable" };
    expect((await page()).sum(name, burst)).toBe(0);
    for (let n = 0; n < 50; n += 1) consumer.deadLettered("carriers.updates", "undecodable");
    const shown = await page();
    expect(shown.sum(name, burst)).toBe(50);
    expect(shown.sum(name, { topic: "porting.events", code: "handler_failed" })).toBe(0);
    expect(shown.sum(name)).toBe(50);
  });
});

describe("a consumer's lag", () => {
  it("is forgotten when its partitions may have become another's, and other consumers' is not", async () => {
    const { of, page } = setUp();
    const [one, other] = [of("one"), of("other")];
    one.lag("porting.events", 3, 500);
    other.lag("porting.events", 3, 7);
    one.forgetLags();
    const name = "consumer_lag_messages";
    expect((await page()).sum(name, { consumer: "one" })).toBeNull();
    expect((await page()).sum(name, { consumer: "other" })).toBe(7);
    one.lag("porting.events", 4, 2);
    expect((await page()).sum(name, { consumer: "one" })).toBe(2);
  });
});
