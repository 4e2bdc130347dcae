import { describe, expect, it } from "@jest/globals";

import { BatchInterrupted, type BatchControl } from "../../platform/kafka/handle-batch.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { waitUntilDue } from "./delay-tier.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";

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
