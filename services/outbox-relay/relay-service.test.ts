import { describe, expect, it } from "@jest/globals";
import type { Kafka } from "kafkajs";
import type { Pool, QueryConfig } from "pg";
import { createLogger } from "../platform/logger.ts";
import { createMetrics } from "../platform/metrics.ts";
import { readConfig } from "./config.ts";
import { startRelayTasks } from "./service.ts";

const DAY_MS = 86_400_000;
const CONFIG = readConfig({
  DATABASE_URL: "postgresql://localhost/porting",
  KAFKA_BROKERS: "localhost:9092",
  SECRETS_KEY: Buffer.alloc(32).toString("base64"),
});

/** The values of the first query with this text, of a relay whose database shows the time `ms`. */
async function valuesOf(text: string, ms: number): Promise<unknown> {
  const asked: QueryConfig[] = [];
  const query = (config: QueryConfig): Promise<unknown> => {
    asked.push(config);
    return Promise.resolve({ rows: [{ ms }] });
  };
  const tasks = startRelayTasks({
    config: CONFIG,
    pool: { query } as unknown as Pool,
    kafka: {} as Kafka,
    relay: { isReader: () => false, readNotes: () => undefined },
    metrics: createMetrics("test"),
    log: createLogger("test", "silent"),
  });
  // A task that is stopped ends its first run.
  await Promise.all(tasks.map((task) => task.stop()));
  return asked.find((config) => config.text.includes(text))?.values;
}

describe("the relay's partitions", () => {
  const now = Date.parse("2031-05-01T12:00:00Z");

  it("are made and dropped by the database's time, not this machine's", async () => {
    expect(await valuesOf("make_outbox_partitions", now)).toEqual([
      new Date(now - DAY_MS),
      new Date(now + 14 * DAY_MS),
    ]);
    expect(await valuesOf("drop_done_partitions", now)).toEqual([
      new Date(now - CONFIG.OUTBOX_RETENTION),
    ]);
  });
});
