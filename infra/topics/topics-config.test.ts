import { describe, expect, it } from "@jest/globals";
import { readConfig, replicationWarning } from "./config.ts";

const env = {
  KAFKA_BROKERS: "kafka-1:9092, kafka-2:9092",
  SCHEMA_REGISTRY_URL: "http://registry:8081/apis/ccompat/v7",
};

describe("readConfig of the topics", () => {
  it("has defaults for everything except the addresses of brokers and registry", () => {
    expect(readConfig({ ...env, EVENTS_RETENTION: "" })).toEqual({
      brokers: ["kafka-1:9092", "kafka-2:9092"],
      security: { KAFKA_SSL: false },
      registry: { SCHEMA_REGISTRY_URL: "http://registry:8081/apis/ccompat/v7" },
      prefix: "",
      replication: 1,
      requiresReplication: false,
      partitions: 6,
      retrySchedule: "1m,5m,30m,2h,6h",
      carriersDir: "data/carriers",
      eventsRetentionMs: null,
    });
  });

  it("plans three replicas where three brokers are named, unless another number is set", () => {
    const three = { ...env, KAFKA_BROKERS: "kafka-1:9092,kafka-2:9092,kafka-3:9092" };
    expect(readConfig(three)).toMatchObject({ replication: 3, requiresReplication: false });
    const told = { ...three, KAFKA_REPLICATION: "2" };
    expect(readConfig(told)).toMatchObject({ replication: 2, requiresReplication: true });
  });

  it("warns of fewer replicas than three, unless that number was chosen", () => {
    expect(replicationWarning(readConfig(env))).toBe(
      "warning: new topics get 1 replica instead of 3, because KAFKA_BROKERS names 2: while one broker is lost, its data is unavailable. Name 3 brokers, or set KAFKA_REPLICATION.",
    );
    expect(replicationWarning(readConfig({ ...env, KAFKA_REPLICATION: "1" }))).toBeNull();
    const three = { ...env, KAFKA_BROKERS: "kafka-1:9092,kafka-2:9092,kafka-3:9092" };
    expect(replicationWarning(readConfig(three))).toBeNull();
  });

  it("reads durations", () => {
    const given = { ...env, WEBHOOK_RETRY_SCHEDULE: "1s,2s", EVENTS_RETENTION: "30d" };
    expect(readConfig(given)).toMatchObject({
      retrySchedule: "1s,2s",
      eventsRetentionMs: 2_592_000_000,
    });
  });

  it("reports every problem at once", () => {
    const given = { KAFKA_BROKERS: "x", KAFKA_REPLICATION: "0", WEBHOOK_RETRY_SCHEDULE: "soon" };
    expect(() => readConfig(given)).toThrow(
      expect.objectContaining({
        code: "invalid_config",
        message: expect.stringMatching(
          /(?=.*SCHEMA_REGISTRY_URL)(?=.*KAFKA_REPLICATION)(?=.*WEBHOOK_RETRY_SCHEDULE)/s,
        ),
      }),
    );
  });
});
