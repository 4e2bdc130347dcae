import { describe, expect, it } from "@jest/globals";
import { gatherCalls } from "./gather-calls.ts";
import { currentSpan, runInSpan } from "./tracing/tracing.ts";

/** Rounds that the test ends; each call returns its double. */
function recording(
  options: { most?: number; enough?: number; atOnce?: number; patienceMs?: number } = {},
) {
  const batches: { calls: readonly number[]; end: (error?: Error) => void }[] = [];
  const begun: (() => void)[] = [];
  const call = gatherCalls({
    run: (calls: readonly number[]) =>
      new Promise<(one: number) => number>((resolve, reject) => {
        const answer = (one: number): number => {
          if (one < 0) throw new RangeError("negative");
          return 2 * one;
        };
        const end = (error?: Error): void => {
          if (error === undefined) resolve(answer);
          else reject(error);
        };
        batches.push({ calls, end });
        begun.shift()?.();
      }),
    most: options.most ?? 10,
    ...(options.enough === undefined ? {} : { enough: options.enough }),
    atOnce: options.atOnce ?? 2,
    patienceMs: options.patienceMs ?? 60_000,
  });
  const nextBatch = (): Promise<void> => new Promise((resolve) => begun.push(resolve));
  return { batches, call, nextBatch };
}

describe("gatherCalls", () => {
  it("runs a batch in the span of none of its calls, and answers each within its own", async () => {
    const seen: unknown[] = [];
    const call = gatherCalls({
      run: (calls: readonly string[]) => {
        seen.push(calls, currentSpan());
        return Promise.resolve((one: string) => one);
      },
      most: 10,
    });
    const inOwnSpan = (traceId: string) =>
      runInSpan({ traceId, traceparent: "", hasEnded: false }, async () => {
        await call(traceId);
        return currentSpan()?.traceId;
      });
    expect(await Promise.all(["t1", "t2"].map(inOwnSpan))).toEqual(["t1", "t2"]);
    expect(seen).toEqual([["t1", "t2"], null]);
  });

  it("sends the calls of one event loop tick together", async () => {
    const { batches, call, nextBatch } = recording();
    const begun = nextBatch();
    const answers = Promise.all([call(1), call(2)]);
    await begun;
    batches[0]?.end();
    expect(await answers).toEqual([2, 4]);
    expect(batches.map(({ calls }) => calls)).toEqual([[1, 2]]);
  });

  it("sends calls that arrive meanwhile in the next batch, up to the limit", async () => {
    const { batches, call, nextBatch } = recording({ most: 2, atOnce: 1 });
    const first = nextBatch();
    const answers = [call(1)];
    await first;
    answers.push(call(2), call(3), call(4));
    for (const n of [0, 1]) {
      const begun = nextBatch();
      batches[n]?.end();
      await begun;
    }
    batches[2]?.end();
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8]);
    expect(batches.map(({ calls }) => calls)).toEqual([[1], [2, 3], [4]]);
  });

  it("starts a concurrent batch as soon as one is full, up to the limit of batches", async () => {
    const { batches, call, nextBatch } = recording({ most: 2, atOnce: 2 });
    const first = nextBatch();
    const answers = [call(1)];
    await first;
    const second = nextBatch();
    answers.push(call(2));
    expect(batches).toHaveLength(1);
    answers.push(call(3), call(4), call(5));
    await second;
    const third = nextBatch();
    batches[1]?.end();
    await third;
    for (const { end } of batches) end();
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10]);
    expect(batches.map(({ calls }) => calls)).toEqual([[1], [2, 3], [4, 5]]);
  });

  it("starts a concurrent batch as soon as enough calls wait, with all that wait", async () => {
    const { batches, call, nextBatch } = recording({ most: 10, enough: 3 });
    const first = nextBatch();
    const answers = [call(1)];
    await first;
    const second = nextBatch();
    answers.push(call(2), call(3));
    expect(batches).toHaveLength(1);
    answers.push(call(4), call(5));
    await second;
    for (const { end } of batches) end();
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10]);
    expect(batches.map(({ calls }) => calls)).toEqual([[1], [2, 3, 4, 5]]);
  });

  it("rejects one call with its own error and resolves the others", async () => {
    const { batches, call, nextBatch } = recording();
    const begun = nextBatch();
    const answers = Promise.allSettled([call(1), call(-1)]);
    await begun;
    batches[0]?.end();
    expect(await answers).toMatchObject([{ value: 2 }, { reason: new RangeError("negative") }]);
  });

  it("rejects every call of a failed batch, and continues", async () => {
    const { batches, call, nextBatch } = recording();
    const begun = nextBatch();
    const failed = Promise.allSettled([call(1), call(2)]);
    await begun;
    batches[0]?.end(new Error("away"));
    expect((await failed).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const again = nextBatch();
    const answer = call(3);
    await again;
    batches[1]?.end();
    expect(await answer).toBe(6);
  });

  it("waits for slow batches no longer than its patience", async () => {
    const { batches, call, nextBatch } = recording({ patienceMs: 1 });
    const begun = nextBatch();
    const slow = call(1);
    await begun;
    const second = nextBatch();
    const answer = call(2);
    await second;
    const third = nextBatch();
    const last = call(3);
    await third;
    for (const n of [2, 1, 0]) batches[n]?.end();
    expect(await Promise.all([slow, answer, last])).toEqual([2, 4, 6]);
    const again = nextBatch();
    const next = call(4);
    await again;
    batches[3]?.end();
    expect(await next).toBe(8);
  });
});
