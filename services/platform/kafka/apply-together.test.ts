import { describe, expect, it } from "@jest/globals";
import { AppError } from "../errors.ts";
import { applyTogether, type PartitionBatch } from "./apply-together.ts";
import type { Received } from "./handle-batch.ts";

const received = (message: string): Received<string> => ({
  message,
  raw: {
    topic: "events",
    partition: 0,
    offset: 0,
    key: null,
    value: null,
    headers: {},
    timestamp: 0,
    messageId: message,
  },
});

const position = (partition: number) => ({ topic: "events", partition, nextOffset: 1 });

const textsOf = (batches: readonly PartitionBatch<string>[]): string[] =>
  batches.flatMap(({ messages }) => messages.map(({ message }) => message));

/** What each round was given; one that holds `bad` fails. */
function recording(failure: Error) {
  const rounds: string[][] = [];
  const apply = applyTogether<string>((batches) => {
    const texts = textsOf(batches);
    rounds.push(texts);
    return texts.includes("bad") ? Promise.reject(failure) : Promise.resolve();
  });
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
});
