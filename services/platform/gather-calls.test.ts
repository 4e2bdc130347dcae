import { describe, expect, it } from "@jest/globals";
import { gatherCalls } from "./gather-calls.ts";
import { currentSpan, runInSpan } from "./tracing/tracing.ts";

/** Rounds that the test ends; each call returns its double. */
function recording(
  options: { most?: number; enough?: number; atOnce?: number; patienceMs?: number } = {},
) {
  const rounds: { calls: readonly number[]; end: (error?: Error) => void }[] = [];
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
        rounds.push({ calls, end });
        begun.shift()?.();
      }),
    most: options.most ?? 10,
    ...(options.enough === undefined ? {} : { enough: options.enough }),
    atOnce: options.atOnce ?? 2,
    patienceMs: options.patienceMs ?? 60_000,
  });
  const nextRound = (): Promise<void> => new Promise((resolve) => begun.push(resolve));
  return { rounds, call, nextRound };
}

describe("gatherCalls", () => {
  it("runs a round in the span of none of its calls, and answers each within its own", async () => {
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
    const { rounds, call, nextRound } = recording();
    const begun = nextRound();
    const answers = Promise.all([call(1), call(2)]);
    await begun;
    rounds[0]?.end();
    expect(await answers).toEqual([2, 4]);
    expect(rounds.map(({ calls }) => calls)).toEqual([[1, 2]]);
  });

  it("sends calls that arrive meanwhile in the next round, up to the limit", async () => {
    const { rounds, call, nextRound } = recording({ most: 2, atOnce: 1 });
    const first = nextRound();
    const answers = [call(1)];
    await first;
    answers.push(call(2), call(3), call(4));
    for (const n of [0, 1]) {
      const begun = nextRound();
      rounds[n]?.end();
      await begun;
    }
    rounds[2]?.end();
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8]);
    expect(rounds.map(({ calls }) => calls)).toEqual([[1], [2, 3], [4]]);
  });

  it("starts a concurrent round as soon as one is full, up to the limit of rounds", async () => {
    const { rounds, call, nextRound } = recording({ most: 2, atOnce: 2 });
    const first = nextRound();
    const answers = [call(1)];
    await first;
    const second = nextRound();
    answers.push(call(2));
    expect(rounds).toHaveLength(1);
    answers.push(call(3), call(4), call(5));
    await second;
    const third = nextRound();
    rounds[1]?.end();
    await third;
    for (const { end } of rounds) end();
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10]);
    expect(rounds.map(({ calls }) => calls)).toEqual([[1], [2, 3], [4, 5]]);
  });

  it("starts a concurrent round as soon as enough calls wait, with all that wait", async () => {
    const { rounds, call, nextRound } = recording({ most: 10, enough: 3 });
    const first = nextRound();
    const answers = [call(1)];
    await first;
    const second = nextRound();
    answers.push(call(2), call(3));
    expect(rounds).toHaveLength(1);
    answers.push(call(4), call(5));
    await second;
    for (const { end } of rounds) end();
    expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10]);
    expect(rounds.map(({ calls }) => calls)).toEqual([[1], [2, 3, 4, 5]]);
  });

  it("rejects one call with its own error and resolves the others", async () => {
    const { rounds, call, nextRound } = recording();
    const begun = nextRound();
    const answers = Promise.allSettled([call(1), call(-1)]);
    await begun;
    rounds[0]?.end();
    expect(await answers).toMatchObject([{ value: 2 }, { reason: new RangeError("negative") }]);
  });

  it("rejects every call of a failed round, and continues", async () => {
    const { rounds, call, nextRound } = recording();
    const begun = nextRound();
    const failed = Promise.allSettled([call(1), call(2)]);
    await begun;
    rounds[0]?.end(new Error("away"));
    expect((await failed).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const again = nextRound();
    const answer = call(3);
    await again;
    rounds[1]?.end();
    expect(await answer).toBe(6);
  });

  it("waits for slow rounds no longer than its patience", async () => {
    const { rounds, call, nextRound } = recording({ patienceMs: 1 });
    const begun = nextRound();
    const slow = call(1);
    await begun;
    const second = nextRound();
    const answer = call(2);
    await second;
    const third = nextRound();
    const last = call(3);
    await third;
    for (const n of [2, 1, 0]) rounds[n]?.end();
    expect(await Promise.all([slow, answer, last])).toEqual([2, 4, 6]);
    const again = nextRound();
    const next = call(4);
    await again;
    rounds[3]?.end();
    expect(await next).toBe(8);
  });
});
