import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { ConsumerRunConfig, EachBatchPayload, Kafka } from "kafkajs";
import { createLogger } from "../logger.ts";
import { startConsumer, type OnBatch } from "./consumer.ts";
import { STALLED_AFTER_MS } from "./stalled-partitions.ts";

const TOPIC = "orders";
/** More than a mark waits for its commit. */
const COMMIT_MS = 1_000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** The client of one member, and what was asked of it. */
function fakeClient() {
  const asked: string[] = [];
  const ask = (name: string) => (): Promise<void> => {
    asked.push(name);
    return Promise.resolve();
  };
  const listeners = new Map<string, (event: unknown) => void>();
  const runs: ConsumerRunConfig[] = [];
  let isRunning = true;
  const consumer = {
    events: { GROUP_JOIN: "join", HEARTBEAT: "heartbeat", FETCH: "fetch", CRASH: "crash" },
    on: (name: string, listener: (event: unknown) => void) => void listeners.set(name, listener),
    connect: () => Promise.resolve(),
    subscribe: () => Promise.resolve(),
    run: (config: ConsumerRunConfig) => Promise.resolve(void runs.push(config)),
    commitOffsets: ask("commit"),
    stop: () => {
      isRunning = false;
      return Promise.resolve();
    },
    disconnect: ask("disconnect"),
  };
  const message = { key: null, value: null, headers: {}, offset: "7", timestamp: "0" };
  const payload = {
    batch: {
      topic: TOPIC,
      partition: 3,
      messages: [message],
      highWatermark: "8",
      firstOffset: () => "7",
    },
    isRunning: () => isRunning,
    isStale: () => false,
    heartbeat: () => Promise.resolve(),
    resolveOffset: ask("resolve"),
    pause: () => {
      asked.push("pause");
      return ask("resume");
    },
  } as unknown as EachBatchPayload;
  return {
    kafka: { consumer: () => consumer } as unknown as Kafka,
    asked,
    join: () => listeners.get("join")?.({ payload: { memberAssignment: { [TOPIC]: [3] } } }),
    eachBatch: () => runs[0]?.eachBatch?.(payload),
  };
}

/** A member that goes on without its batch, which the handler makes no progress with. */
async function stallBatch(onBatch: OnBatch) {
  const client = fakeClient();
  const consumer = await startConsumer({
    kafka: client.kafka,
    group: "group",
    handlers: new Map([[TOPIC, onBatch]]),
    sessionTimeoutMs: 6_000,
    concurrency: 1,
    log: createLogger("test", "silent"),
  });
  client.join();
  const handled = client.eachBatch();
  await jest.advanceTimersByTimeAsync(STALLED_AFTER_MS);
  await handled;
  expect(client.asked).toEqual(["pause"]);
  return { consumer, ...client };
}

/** A handler whose work ends when the test says so. */
function setUpWork() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, onBatch: (): Promise<void> => ended };
}

describe("a stalled batch that ends", () => {
  it("moves its partition on, which is resumed after that", async () => {
    const { end, onBatch } = setUpWork();
    const { asked } = await stallBatch(onBatch);
    end();
    await jest.advanceTimersByTimeAsync(COMMIT_MS);
    expect(asked).toEqual(["pause", "resolve", "resume", "commit"]);
  });

  it("moves nothing after another assignment, which may have begun further on", async () => {
    const { end, onBatch } = setUpWork();
    const { asked, join } = await stallBatch(onBatch);
    join();
    end();
    await jest.advanceTimersByTimeAsync(COMMIT_MS);
    expect(asked).toEqual(["pause", "resume"]);
  });

  it("moves nothing once the consumer stops, which waits for it before it leaves", async () => {
    const { end, onBatch } = setUpWork();
    const { asked, consumer } = await stallBatch(onBatch);
    const stopped = consumer.stop();
    await jest.advanceTimersByTimeAsync(COMMIT_MS);
    expect(asked).toEqual(["pause"]);
    end();
    await stopped;
    expect(asked).toEqual(["pause", "resume", "disconnect"]);
  });
});

describe("a stalled batch that waits", () => {
  const waitForAnHour: OnBatch = async (_batch, control) => {
    expect(await control.wait(3_600_000)).toBe(false);
  };

  it("learns of another assignment within a second", async () => {
    const { asked, join } = await stallBatch(waitForAnHour);
    join();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual(["pause", "resume"]);
  });

  it("learns within a second that the consumer stops", async () => {
    const { asked, consumer } = await stallBatch(waitForAnHour);
    const stopped = consumer.stop();
    await jest.advanceTimersByTimeAsync(1_000);
    await stopped;
    expect(asked).toEqual(["pause", "resume", "disconnect"]);
  });
});
