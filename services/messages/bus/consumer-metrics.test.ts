import { describe, expect, it } from "@jest/globals";
import { MetricsPage } from "../../../test/support/http/metrics-page.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { createConsumerMetrics } from "./consumer-metrics.ts";

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
