import { describe, expect, it } from "@jest/globals";
import { planTopics } from "./topic-plan.ts";

const options = {
  prefix: "",
  replication: 1,
  retrySchedule: "1m,5m,30m,2h,6h",
  eventsRetentionMs: null,
};
const DAY_MS = 86_400_000;

function settingsOf(name: string, overrides: Partial<Parameters<typeof planTopics>[0]> = {}) {
  return planTopics({ ...options, ...overrides }).topics.find((topic) => topic.name === name)
    ?.settings;
}

/** For how many days each topic is kept (docs/contract/messages.md, Topics and messages: the contract of the bus). */
const KEPT_DAYS = {
  "porting.review-requests": 7,
  "porting.review-results": 7,
  "porting.carrier-requests": 7,
  "porting.carrier-results": 7,
  "carriers.requests": 7,
  "carriers.updates": 30,
  "carriers.port-outs": 30,
  "carriers.calls": 7,
  "carriers.receipts": 7,
  "porting.webhook-attempts": 7,
  "porting.webhook-retry.1m": 7,
  "porting.webhook-retry.5m": 7,
  "porting.webhook-retry.30m": 7,
  "porting.webhook-retry.2h": 7,
  "porting.webhook-retry.6h": 7,
};

describe("planTopics", () => {
  it("plans the contract's 16 topics, their dead letters and 16 subjects", () => {
    const { topics, subjects } = planTopics(options);
    const names = topics.map(({ name }) => name);
    expect(names).toHaveLength(32);
    expect(names.filter((name) => name.endsWith(".dead-letter"))).toHaveLength(16);
    expect(subjects.map(({ subject }) => subject)).toEqual(
      names.filter((name) => !name.endsWith(".dead-letter")).map((name) => `${name}-value`),
    );
  });

  it("keeps every other topic for as long as the contract says", () => {
    const kept = planTopics(options).topics.flatMap(({ name, settings }) =>
      name === "porting.events" || name.endsWith(".dead-letter")
        ? []
        : [[name, Number(settings["retention.ms"]) / DAY_MS]],
    );
    expect(Object.fromEntries(kept)).toEqual(KEPT_DAYS);
  });

  it("takes small batches where carriers write, dated by the broker", () => {
    const small = planTopics(options).topics.filter(
      ({ settings }) => settings["max.message.bytes"] === "65536",
    );
    const written = ["carriers.updates", "carriers.port-outs", "carriers.calls"];
    expect(small.map(({ name }) => name)).toEqual(written);
    const dated = planTopics(options).topics.filter(
      ({ settings }) => settings["message.timestamp.type"] === "LogAppendTime",
    );
    expect(dated.map(({ name }) => name).sort()).toEqual(
      [...written, "carriers.requests", "carriers.receipts"].sort(),
    );
  });

  it("keeps events for ever by default, and compacts nothing", () => {
    expect(settingsOf("porting.events")).toEqual({
      "cleanup.policy": "delete",
      "retention.ms": "-1",
      "max.message.bytes": "2097152",
      "compression.type": "uncompressed",
    });
    expect(settingsOf("porting.events", { eventsRetentionMs: DAY_MS })).toMatchObject({
      "retention.ms": String(DAY_MS),
    });
  });

  it("keeps dead letters for 30 days and allows them twice the size of their source", () => {
    expect(settingsOf("porting.webhook-retry.6h.dead-letter")).toEqual({
      "cleanup.policy": "delete",
      "retention.ms": String(30 * DAY_MS),
      "max.message.bytes": "4194304",
      "compression.type": "uncompressed",
    });
  });

  it("requires two in-sync replicas where there are three", () => {
    expect(settingsOf("carriers.updates", { replication: 3 })).toMatchObject({
      "min.insync.replicas": "2",
    });
  });

  it("puts the prefix before every topic and subject", () => {
    const { topics, subjects } = planTopics({ ...options, prefix: "t1." });
    const names = [...topics.map(({ name }) => name), ...subjects.map(({ subject }) => subject)];
    expect(names.every((name) => /^t1\.(porting|carriers)\./.test(name))).toBe(true);
  });
});
