import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { ConsumerRunConfig, EachBatchPayload, Kafka } from "kafkajs";
import { createLogger } from "../logger.ts";
import {
  STALLED_AFTER_MS,
  StalledPartitions,
  startConsumer,
  type BatchProgress,
  type OnBatch,
} from "./consumer.ts";

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

const log = createLogger("test", "silent");
const AFTER_MS = 2_000;

/** A batch of the one partition, and what was asked of the client. */
function batchOf(offset = 0) {
  const asked: string[] = [];
  const payload = {
    batch: { topic: "orders", partition: 3, firstOffset: () => String(offset) },
    pause: () => {
      asked.push("pause");
      return () => void asked.push("resume");
    },
  };
  return { asked, payload };
}

function setUpHeldWork() {
  let end = (): void => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  let progress: BatchProgress | null = null;
  const work = (given: BatchProgress): Promise<void> => {
    progress = given;
    return promise;
  };
  return { work, end, fail, progress: () => progress };
}

const stalledAfter = (afterMs: number): StalledPartitions =>
  new StalledPartitions({ afterMs, log });

/** A partition whose batch has made no progress for long enough. */
async function holdOne() {
  const partitions = stalledAfter(AFTER_MS);
  const { asked, payload } = batchOf();
  const { work, ...control } = setUpHeldWork();
  const handled = partitions.handle(payload, work);
  await jest.advanceTimersByTimeAsync(AFTER_MS);
  await handled;
  return { partitions, asked, ...control };
}

describe("a batch", () => {
  it("is waited for while it makes progress", async () => {
    const { asked, payload } = batchOf();
    const { work, end, progress } = setUpHeldWork();
    const handled = stalledAfter(AFTER_MS).handle(payload, work);
    for (let n = 0; n < 5; n += 1) {
      await jest.advanceTimersByTimeAsync(AFTER_MS - 1);
      progress()?.moved();
    }
    end();
    await handled;
    expect(asked).toEqual([]);
  });

  it("throws what it throws", async () => {
    const { asked, payload } = batchOf();
    const failed = stalledAfter(AFTER_MS).handle(payload, () =>
      Promise.reject(new Error("planted")),
    );
    await expect(failed).rejects.toThrow("planted");
    expect(asked).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it("is waited for without end where it may wait on purpose", async () => {
    const { asked, payload } = batchOf();
    const { work, end } = setUpHeldWork();
    const handled = stalledAfter(Infinity).handle(payload, work);
    await jest.advanceTimersByTimeAsync(3_600_000);
    end();
    await handled;
    expect(asked).toEqual([]);
  });
});

describe("a batch without progress", () => {
  it("pauses its partition, which is resumed when it has ended", async () => {
    const { partitions, asked, progress, end } = await holdOne();
    expect([asked, progress()?.isStalled()]).toEqual([["pause"], true]);
    end();
    await partitions.ended();
    expect([asked, progress()?.isStalled()]).toEqual([["pause", "resume"], false]);
  });

  it("is fetched again where it fails", async () => {
    const { partitions, asked, fail } = await holdOne();
    fail(new Error("planted"));
    await partitions.ended();
    expect(asked).toEqual(["pause", "resume"]);
  });

  it("lets no other batch of its partition begin, not even after another assignment", async () => {
    const { partitions, end } = await holdOne();
    const { asked, payload } = batchOf();
    let begun = 0;
    const begin = (): Promise<void> => {
      begun += 1;
      return Promise.resolve();
    };
    await partitions.handle(payload, begin);
    expect([begun, asked]).toEqual([0, ["pause"]]);
    end();
    await partitions.ended();
    await Promise.resolve();
    expect(asked).toEqual(["pause", "resume"]);
    await partitions.handle(payload, begin);
    expect(begun).toBe(1);
  });
});
