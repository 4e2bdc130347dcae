import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createLogger } from "../logger.ts";
import { StalledPartitions, type BatchProgress } from "./stalled-partitions.ts";

const log = createLogger("test", "silent");
const AFTER_MS = 2_000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

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

function setUpWork() {
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
  const { work, ...control } = setUpWork();
  const handled = partitions.handle(payload, work);
  await jest.advanceTimersByTimeAsync(AFTER_MS);
  await handled;
  return { partitions, asked, ...control };
}

describe("a batch", () => {
  it("is waited for while it makes progress", async () => {
    const { asked, payload } = batchOf();
    const { work, end, progress } = setUpWork();
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
    const { work, end } = setUpWork();
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
