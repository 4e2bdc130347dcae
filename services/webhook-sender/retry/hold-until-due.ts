import type { Clock } from "../../platform/clock.ts";
import type { OnBatch } from "../../platform/kafka/consumer.ts";
import { BatchInterrupted, type BatchControl } from "../../platform/kafka/handle-batch.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";

/** The longest wait before looking at the clock again. */
const STEP_MS = 30_000;

export interface HoldOptions {
  readonly clock: Clock;
  /** When a record is due, in epoch milliseconds; null if it is unreadable and is passed on at once. */
  readonly dueAt: (raw: RawMessage) => Promise<number | null>;
  /** The topic's delay: a batch is held no longer, whatever its records say. */
  readonly delayMs: number;
  readonly handle: OnBatch;
}

/**
 * Holds the head of a partition until it is due. All records of a delay topic have the same delay, so
 * none waits for another.
 */
export function holdUntilDue({ clock, dueAt, delayMs, handle }: HoldOptions): OnBatch {
  return async (batch, control) => {
    const latest = clock.now().getTime() + delayMs;
    let due: RawMessage[] = [];
    for (const raw of batch) {
      const at = Math.min((await dueAt(raw)) ?? 0, latest);
      if (at > clock.now().getTime()) {
        if (due.length > 0) await handle(due, control);
        due = [];
        await waitUntil(at, clock, control);
      }
      due.push(raw);
    }
    if (due.length > 0) await handle(due, control);
  };
}

async function waitUntil(at: number, clock: Clock, control: BatchControl): Promise<void> {
  for (;;) {
    const left = at - clock.now().getTime();
    if (left <= 0) return;
    if (!(await control.wait(Math.min(left, STEP_MS)))) throw new BatchInterrupted();
  }
}
