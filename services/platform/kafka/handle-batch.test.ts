import { describe, expect, it } from "@jest/globals";
import type { Pool, QueryConfig } from "pg";
import { AppError } from "../errors.ts";
import { createLogger } from "../logger.ts";
import { applyTogether, type PartitionBatch } from "./apply-together.ts";
import { BatchHandler, type ApplyBatch, type BatchControl } from "./handle-batch.ts";
import type { RawMessage } from "./raw-message.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";

const MAX_BATCH = 64;

const statementTimeout = (): AppError =>
  new AppError("database_unavailable", "The database is not available.", {
    retryable: true,
    cause: Object.assign(new Error("canceling statement"), { code: "57014" }),
  });

const raw = (partition: number, offset: number): RawMessage =>
  buildRawMessage({ topic: "events", partition, offset, messageId: `${partition}-${offset}` });

const partitionOf = (partition: number, count: number): RawMessage[] =>
  Array.from({ length: count }, (_, offset) => raw(partition, offset));

/** Waits take no time and end after so many. */
const controlOf = (mostWaits = Infinity): BatchControl & { waits: number } => ({
  waits: 0,
  wait() {
    this.waits += 1;
    return Promise.resolve(this.waits < mostWaits);
  },
  heartbeat: () => Promise.resolve(),
  isOver: () => false,
  commit: () => Promise.resolve(),
});

const handlerOf = (apply: ApplyBatch<string>, deadLettered: string[] = []) =>
  new BatchHandler<string>({
    decode: ({ messageId }) => messageId,
    apply,
    maxBatch: MAX_BATCH,
    deadLetters: {} as never,
    clock: { now: () => new Date(0) },
    log: createLogger("test", "silent"),
    onDeadLetter: ({ messageId }) => deadLettered.push(messageId),
  });

/** A database that is in time for `capacity.most` messages at once. */
function setUpSlow(capacity: { most: number }) {
  const tried: number[] = [];
  const applied: string[] = [];
  const positions = new Map<number, number[]>();
  const applyRound = (batches: readonly PartitionBatch<string>[]): Promise<void> => {
    const messages = batches.flatMap((batch) => batch.messages);
    tried.push(messages.length);
    if (messages.length > capacity.most) return Promise.reject(statementTimeout());
    applied.push(...messages.map(({ message }) => message));
    for (const { position } of batches) {
      const { partition, nextOffset } = position;
      positions.set(partition, [...(positions.get(partition) ?? []), nextOffset]);
    }
    return Promise.resolve();
  };
  return { tried, applied, positions, apply: applyTogether(applyRound, (work) => work()) };
}

describe("a batch that took too long", () => {
  it("is applied in smaller ones, in order, each with its own position", async () => {
    const { tried, applied, positions, apply } = setUpSlow({ most: 16 });
    const control = controlOf();
    await handlerOf(apply).handle(partitionOf(0, MAX_BATCH), control);
    expect(tried.slice(0, 3)).toEqual([64, 32, 16]);
    expect(applied).toEqual(partitionOf(0, MAX_BATCH).map(({ messageId }) => messageId));
    const nexts = positions.get(0) ?? [];
    expect(nexts).toEqual(nexts.toSorted((one, other) => one - other));
    expect([nexts[0], nexts.at(-1), control.waits]).toEqual([16, 64, 0]);
  });

  it("makes the round of all partitions smaller, and those after it", async () => {
    const { tried, applied, apply } = setUpSlow({ most: 60 });
    const handler = handlerOf(apply);
    const allAtOnce = () =>
      Promise.all([0, 1, 2, 3, 4, 5].map((n) => handler.handle(partitionOf(n, 64), controlOf())));
    await allAtOnce();
    expect(applied).toHaveLength(6 * 64);
    expect(new Set(applied).size).toBe(6 * 64);
    expect(Math.max(...tried)).toBe(6 * 64);
    tried.length = 0;
    await allAtOnce();
    expect(Math.max(...tried)).toBeLessThan(3 * 64);
  });

  it("grows again once the database is fast", async () => {
    const capacity = { most: 8 };
    const { tried, apply } = setUpSlow(capacity);
    const handler = handlerOf(apply);
    await handler.handle(partitionOf(0, MAX_BATCH), controlOf());
    capacity.most = Infinity;
    for (let n = 0; n < 20; n += 1) await handler.handle(partitionOf(0, 200), controlOf());
    expect(tried.slice(-4)).toEqual([64, 64, 64, 8]);
  });

  it("is held, and never dead-lettered, where it is a single message", async () => {
    const deadLettered: string[] = [];
    const { tried, apply } = setUpSlow({ most: 0 });
    const handled = handlerOf(apply, deadLettered).handle(partitionOf(0, 2), controlOf(9));
    await expect(handled).rejects.toThrow();
    expect(tried).toEqual([2, ...Array.from({ length: 9 }, () => 1)]);
    expect(deadLettered).toEqual([]);
  });
});

interface Row {
  readonly kafka_offset: number;
}

/** A database that takes no transaction with the dead letter of these offsets beside another; what it has stored. */
function setUpLetters(alone: readonly number[] = []) {
  const steps: string[] = [];
  const query = (statement: string | QueryConfig) => {
    const { text, values } = typeof statement === "string" ? { text: statement } : statement;
    if (!text.startsWith("insert into messaging.dead_letters")) {
      return Promise.resolve({ rows: [] });
    }
    const offsets = (JSON.parse(String(values?.[0])) as Row[]).map((row) => row.kafka_offset);
    if (offsets.length > 1 && offsets.some((offset) => alone.includes(offset))) {
      return Promise.reject(new TypeError("planted"));
    }
    steps.push(`letters ${offsets.join(",")}`);
    return Promise.resolve({ rows: [] });
  };
  const client = { query, release: () => undefined };
  const pool = { connect: () => Promise.resolve(client) } as unknown as Pool;
  const deadLettered: string[] = [];
  const clock = { now: () => new Date(0) };
  const handlerWith = (isBad: (offset: number) => boolean) =>
    new BatchHandler<number>({
      decode: ({ offset }) => {
        if (isBad(offset)) throw new AppError("undecodable", "planted");
        return offset;
      },
      apply: (messages) => {
        steps.push(`applied ${messages.map(({ message }) => message).join(",")}`);
        return Promise.resolve();
      },
      maxBatch: MAX_BATCH,
      deadLetters: { pool, clock, consumer: "planted" },
      clock,
      log: createLogger("test", "silent"),
      onDeadLetter: ({ messageId }) => deadLettered.push(messageId),
    });
  return { steps, deadLettered, handlerWith };
}

describe("successive messages that are dead-lettered", () => {
  it("share transactions, with a heartbeat after each", async () => {
    const { steps, deadLettered, handlerWith } = setUpLetters();
    let beats = 0;
    const heartbeat = () => {
      beats += 1;
      return Promise.resolve();
    };
    const value = Buffer.alloc(64);
    const batch = partitionOf(0, 3_000).map((one) => ({ ...one, value }));
    await handlerWith(() => true).handle(batch, { ...controlOf(), heartbeat });
    expect(steps).toHaveLength(30);
    expect(beats).toBe(30);
    expect(deadLettered).toEqual(batch.map(({ messageId }) => messageId));
  });

  it("keep their place among those that are applied", async () => {
    const { steps, handlerWith } = setUpLetters();
    await handlerWith((offset) => [1, 2, 5].includes(offset)).handle(
      partitionOf(0, 6),
      controlOf(),
    );
    expect(steps).toEqual(["applied 0", "letters 1,2", "applied 3,4", "letters 5"]);
  });

  it("are written one by one where one fails beside others", async () => {
    const { steps, deadLettered, handlerWith } = setUpLetters([1]);
    await handlerWith(() => true).handle(partitionOf(0, 3), controlOf());
    expect(steps).toEqual(["letters 0", "letters 1", "letters 2"]);
    expect(deadLettered).toHaveLength(3);
  });

  it("have one letter beyond five hundred that are shorter than any message, the last of each run", async () => {
    const { steps, deadLettered, handlerWith } = setUpLetters();
    const batch = partitionOf(0, 6_500).map((one) => ({ ...one, value: Buffer.alloc(1) }));
    await handlerWith((offset) => offset !== 5_000).handle(batch, controlOf());
    expect(steps.slice(5)).toEqual(["letters 4999", "applied 5000", "letters 6499"]);
    expect(deadLettered).toHaveLength(502);
  });

  it("come in smaller transactions where they are large", async () => {
    const { steps, handlerWith } = setUpLetters();
    const value = Buffer.alloc(600 * 1024);
    const batch = partitionOf(0, 4).map((one) => ({ ...one, value }));
    await handlerWith(() => true).handle(batch, controlOf());
    expect(steps).toEqual(["letters 0,1", "letters 2,3"]);
  });

  it("are left to who has the partition now", async () => {
    const { steps, handlerWith } = setUpLetters();
    const handled = handlerWith(() => true).handle(partitionOf(0, 3), {
      ...controlOf(),
      isOver: () => true,
    });
    await expect(handled).rejects.toThrow();
    expect(steps).toEqual([]);
  });
});
