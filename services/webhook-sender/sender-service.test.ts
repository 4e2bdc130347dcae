import { describe, expect, it } from "@jest/globals";
import type { Bus } from "../messages/bus/bus.ts";
import { createLogger } from "../platform/logger.ts";
import { createMetrics } from "../platform/metrics.ts";
import { startAutoPause } from "./service.ts";
import { readConfig } from "./config.ts";

const NOW = new Date("2026-11-02T09:00:00.000Z");
const ENV = {
  DATABASE_URL: "postgresql://localhost/porting",
  KAFKA_BROKERS: "localhost:9092",
  SCHEMA_REGISTRY_URL: "http://localhost:8080",
  SECRETS_KEY: "key",
};

/** The parameters of each statement that the start of the automatic pause runs. */
async function statementsWith(env: Readonly<Record<string, string>>): Promise<unknown[]> {
  const statements: unknown[] = [];
  const query = ({ values }: { readonly values: unknown }) => {
    statements.push(values);
    return Promise.resolve({ rows: [] });
  };
  const log = createLogger("test", "silent");
  const bus = { pool: { query }, clock: { now: () => NOW }, log, metrics: createMetrics("test") };
  await startAutoPause(bus as unknown as Bus, readConfig({ ...ENV, ...env }), null).stop();
  return statements;
}

describe("the automatic pause (docs/contract/customer-api.md, Webhook endpoints)", () => {
  it("needs 5 days without success, 10 failed deliveries and 12 hours between first and last", async () => {
    const [day, hour] = [86_400_000, 3_600_000];
    expect(await statementsWith({})).toEqual([[NOW, 10, 12 * hour, 5 * day]]);
  });

  it("can be off: 0 pauses no endpoint, instead of each that fails", async () => {
    expect(await statementsWith({ WEBHOOK_PAUSE_AFTER: "0s" })).toEqual([]);
  });
});
