import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { AppError } from "../errors.ts";
import {
  applyTogether,
  leavingHalf,
  type PartitionBatch,
  type RunApart,
} from "./apply-together.ts";
import type { Received } from "./handle-batch.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";

const received = (message: string): Received<string> => ({
  message,
  raw: buildRawMessage({ messageId: message }),
});

const position = (partition: number) => ({ topic: "events", partition, nextOffset: 1 });

const textsOf = (batches: readonly PartitionBatch<string>[]): string[] =>
  batches.flatMap(({ messages }) => messages.map(({ message }) => message));

const atOnce: RunApart = (work) => work();

/** What each round was given; one that holds `bad` fails. */
function recording(failure: Error) {
  const rounds: string[][] = [];
  const apply = applyTogether<string>((batches) => {
    const texts = textsOf(batches);
    rounds.push(texts);
    return texts.includes("bad") ? Promise.reject(failure) : Promise.resolve();
  }, atOnce);
  return { rounds, apply };
}

const outcomes = (calls: readonly Promise<void>[]): Promise<string[]> =>
  Promise.all(
    calls.map((one) =>
      one.then(
        () => "applied",
        (error: unknown) => (error as Error).message,
      ),
    ),
  );

describe("applyTogether", () => {
  it("applies the batches of several partitions in one round", async () => {
    const { rounds, apply } = recording(new Error("never"));
    await Promise.all([
      apply([received("a"), received("b")], position(0)),
      apply([received("c")], position(1)),
    ]);
    expect(rounds).toEqual([["a", "b", "c"]]);
  });

  it("lets only the partition fail that holds what cannot be handled", async () => {
    const { rounds, apply } = recording(new Error("unfit"));
    const calls = [
      apply([received("a")], position(0)),
      apply([received("bad")], position(1)),
      apply([received("c")], position(2)),
    ];
    expect(await outcomes(calls)).toEqual(["applied", "unfit", "applied"]);
    expect(rounds).toEqual([["a", "bad", "c"], ["a"], ["bad"], ["c"]]);
  });

  it("does not try each partition where the database is away", async () => {
    const away = new AppError("database_unavailable", "It is away.", { retryable: true });
    const { rounds, apply } = recording(away);
    const calls = [apply([received("a")], position(0)), apply([received("bad")], position(1))];
    expect(await outcomes(calls)).toEqual(["It is away.", "It is away."]);
    expect(rounds).toEqual([["a", "bad"]]);
  });

  it.each(["55P03", "40P01"])(
    "lets only the partition fail that waited for a lock: %s",
    async (code) => {
      const cause = Object.assign(new Error("a lock"), { code });
      const held = new AppError("database_unavailable", "It is held.", { retryable: true, cause });
      const { rounds, apply } = recording(held);
      const calls = [
        apply([received("a"), received("b")], position(0)),
        apply([received("bad")], position(1)),
      ];
      expect(await outcomes(calls)).toEqual(["applied", "It is held."]);
      expect(rounds).toEqual([["a", "b", "bad"], ["a", "b"], ["bad"]]);
    },
  );

  it("tries a batch that waited for a lock apart from the others until it is applied", async () => {
    const cause = Object.assign(new Error("a lock"), { code: "55P03" });
    const held = new AppError("database_unavailable", "It is held.", { retryable: true, cause });
    const { rounds, apply } = recording(held);
    await outcomes([apply([received("bad")], position(1))]);
    const calls = [apply([received("a")], position(0)), apply([received("bad")], position(1))];
    expect(await outcomes(calls)).toEqual(["applied", "It is held."]);
    await apply([received("good")], position(1));
    await Promise.all([apply([received("b")], position(0)), apply([received("c")], position(1))]);
    expect(rounds).toEqual([["bad"], ["bad"], ["a"], ["good"], ["b", "c"]]);
  });

  it("fails batches of several messages that took too long, and tries single messages alone", async () => {
    const cause = Object.assign(new Error("canceling statement"), { code: "57014" });
    const late = new AppError("database_unavailable", "It is slow.", { retryable: true, cause });
    const { rounds, apply } = recording(late);
    const calls = [
      apply([received("a"), received("b")], position(0)),
      apply([received("bad")], position(1)),
      apply([received("c")], position(2)),
    ];
    expect(await outcomes(calls)).toEqual(["It is slow.", "It is slow.", "applied"]);
    expect(rounds).toEqual([["a", "b", "bad", "c"], ["bad"], ["c"]]);
  });

  it("asks a database that was too slow for one message after the other", async () => {
    const cause = Object.assign(new Error("canceling statement"), { code: "57014" });
    const late = new AppError("database_unavailable", "It is slow.", { retryable: true, cause });
    let running = 0;
    const apply = applyTogether<string>(async (batches) => {
      running += 1;
      const isTooMuch = running > 1 || batches.length > 1;
      await Promise.resolve();
      running -= 1;
      if (isTooMuch) throw late;
    }, atOnce);
    const calls = ["a", "b", "c"].map((text, n) => apply([received(text)], position(n)));
    expect(await outcomes(calls)).toEqual(["applied", "applied", "applied"]);
  });
});

describe("a round of which some wait for locks", () => {
  const LOCK_TIMEOUT_MS = 5_000;

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Rounds that hold `locked` fail after the time for which a lock is waited for; returns when each was answered. */
  async function answeredAfter(partitions: readonly string[], runApart: RunApart) {
    jest.useFakeTimers();
    const cause = Object.assign(new Error("a lock"), { code: "55P03" });
    const held = new AppError("database_unavailable", "It is held.", { retryable: true, cause });
    const apply = applyTogether<string>(async (batches) => {
      if (!textsOf(batches).includes("locked")) return;
      await new Promise((resolve) => setTimeout(resolve, LOCK_TIMEOUT_MS));
      throw held;
    }, runApart);
    const begunAt = performance.now();
    const answers = partitions.map(async (text, partition) => {
      const [outcome] = await outcomes([apply([received(text)], position(partition))]);
      return [text, outcome, Math.round(performance.now() - begunAt)];
    });
    await jest.advanceTimersByTimeAsync(60_000);
    return Promise.all(answers);
  }

  it("answers the others with the first timeout", async () => {
    expect(await answeredAfter(["locked", "locked", "free"], atOnce)).toEqual([
      ["locked", "It is held.", 2 * LOCK_TIMEOUT_MS],
      ["locked", "It is held.", 2 * LOCK_TIMEOUT_MS],
      ["free", "applied", LOCK_TIMEOUT_MS],
    ]);
  });

  it("tries no more of them at once than may be apart", async () => {
    expect(await answeredAfter(["locked", "locked", "locked", "free"], leavingHalf(4))).toEqual([
      ["locked", "It is held.", 2 * LOCK_TIMEOUT_MS],
      ["locked", "It is held.", 2 * LOCK_TIMEOUT_MS],
      ["locked", "It is held.", 3 * LOCK_TIMEOUT_MS],
      ["free", "applied", 2 * LOCK_TIMEOUT_MS],
    ]);
  });
});
