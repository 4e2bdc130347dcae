import { expect, it, describe } from "@jest/globals";
import { claimOf } from "../../../test/support/webhooks/attempt-once.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { parseRetrySchedule } from "../../messages/retry-schedule.ts";
import type { OutgoingMessage } from "../../platform/outbox/outbox.ts";
import type { AttemptOutcome } from "../attempt/attempt.ts";
import { PRIORITIES } from "../queue/endpoint-queue.ts";
import type { ClaimedDelivery } from "../store/claim-deliveries.ts";
import type { AttemptResult, RecordedResult } from "../store/record-results.ts";
import { createRetryTimers, waitUntilDue } from "./retry-timers.ts";
import { BatchInterrupted, type BatchControl } from "../../platform/kafka/handle-batch.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";

const ENDED_AT = new Date("2026-11-02T09:00:00.000Z");
const DUE_AT = new Date("2026-11-02T09:05:00.000Z");
const SCHEDULE = parseRetrySchedule("1m,5m,30m");

/** The topics and contents of the timers that are set for results. */
async function timersFor(results: readonly AttemptResult[], recorded: readonly RecordedResult[]) {
  const sent: OutgoingMessage[] = [];
  const bus = {
    clock: { now: () => ENDED_AT },
    topicPrefix: "",
    codec: { encode: (_topic: string, message: object) => Buffer.from(JSON.stringify(message)) },
    producer: {
      send: (messages: readonly OutgoingMessage[]) => {
        sent.push(...messages);
        return Promise.resolve([]);
      },
    },
  } as unknown as Bus;
  const timers = createRetryTimers(bus, SCHEDULE);
  timers.set(results, recorded);
  await timers.drain();
  return sent.map(({ topic, key, value }) => ({
    ...{ topic, key: key?.toString() },
    timer: JSON.parse(String(value)) as unknown,
  }));
}

function resultOf(id: string, outcome: AttemptOutcome, fields: Partial<ClaimedDelivery> = {}) {
  const delivery = { ...claimOf("https://example.com/"), id, attempt_count: 2, ...fields };
  return { delivery, outcome, endedAt: ENDED_AT, entry: {} } as unknown as AttemptResult;
}

const retrying = (step: number): AttemptOutcome => ({
  trigger: "attempt_failed",
  dueAt: DUE_AT,
  step,
});

it("a retry that was recorded has a timer on the topic of its step, for its next attempt", async () => {
  const results = [resultOf("first", retrying(1)), resultOf("last", retrying(2))];
  const recorded = [
    { id: "first", status: "retrying" },
    { id: "last", status: "retrying" },
  ] as const;
  const timerOf = (delivery_id: string) => ({ delivery_id, attempt: 3, due_at: DUE_AT.getTime() });
  expect(await timersFor(results, recorded)).toEqual([
    { topic: "porting.webhook-retry.5m", key: "k", timer: timerOf("first") },
    { topic: "porting.webhook-retry.30m", key: "k", timer: timerOf("last") },
  ]);
});

it("no timer is set for what ended, whose result was not recorded, or that a recovery sends", async () => {
  const results = [
    resultOf("failed", { trigger: "last_attempt_failed" }),
    resultOf("paused", retrying(0)),
    resultOf("lost", retrying(0)),
    resultOf("recovered", retrying(0), { priority: PRIORITIES.recovery }),
  ];
  const recorded = [
    { id: "failed", status: "failed" },
    { id: "paused", status: "skipped" },
    { id: "recovered", status: "retrying" },
  ] as const;
  expect(await timersFor(results, recorded)).toEqual([]);
});

const DELAY_MS = 120_000;

const record = (offset: number): RawMessage => buildRawMessage({ offset });

/** A partition on its own clock, whose waits pass at once. */
function setUp(dues: readonly (number | null)[], lostAtMs = Infinity) {
  let nowMs = 0;
  const handled: { at: number; offsets: number[] }[] = [];
  const control: BatchControl = {
    isOver: () => nowMs >= lostAtMs,
    commit: () => Promise.resolve(),
    heartbeat: () => Promise.resolve(),
    wait: (ms) => {
      nowMs += ms;
      return Promise.resolve(nowMs < lostAtMs);
    },
  };
  const wait = waitUntilDue({
    clock: { now: () => new Date(nowMs) },
    dueAt: (raw) => Promise.resolve(dues[raw.offset] ?? null),
    delayMs: DELAY_MS,
    handle: (batch) => {
      handled.push({ at: nowMs, offsets: batch.map((raw) => raw.offset) });
      return Promise.resolve();
    },
  });
  return {
    run: () =>
      wait(
        dues.map((_, n) => record(n)),
        control,
      ),
    handled,
  };
}

describe("a delay topic's partition", () => {
  it("handles each record when it is due, and those already due together", async () => {
    const { run, handled } = setUp([-5, 0, 60_000, 60_000, 90_000]);
    await run();
    expect(handled).toEqual([
      { at: 0, offsets: [0, 1] },
      { at: 60_000, offsets: [2, 3] },
      { at: 90_000, offsets: [4] },
    ]);
  });

  it("passes on an unreadable record at once", async () => {
    const { run, handled } = setUp([null, 1_000]);
    await run();
    expect(handled).toEqual([
      { at: 0, offsets: [0] },
      { at: 1_000, offsets: [1] },
    ]);
  });

  it("holds a batch no longer than its delay, whatever a clock that was ahead has written", async () => {
    const { run, handled } = setUp([3_600_000, 3_600_000, 60_000]);
    await run();
    expect(handled).toEqual([{ at: DELAY_MS, offsets: [0, 1, 2] }]);
  });

  it("interrupts the batch when it loses the partition", async () => {
    const { run, handled } = setUp([0, 120_000], 45_000);
    await expect(run()).rejects.toBeInstanceOf(BatchInterrupted);
    expect(handled).toEqual([{ at: 0, offsets: [0] }]);
  });
});
