import { setTimeout as pause } from "node:timers/promises";
import kafkajs from "kafkajs";
import { AppError } from "../errors.ts";

/** Errors that kafkajs does not retry, although they are transient. */
const PASSING_ALTHOUGH_FINAL: ReadonlySet<string> = new Set([
  "KafkaJSGroupCoordinatorNotFound",
  "KafkaJSLockTimeout",
  "KafkaJSTimeout",
]);

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 500;

/**
 * Whether an error is transient: missing metadata, a partition without a leader, a moved controller, a
 * loading coordinator, a broker that is unavailable or too busy to respond in time.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof AppError) return error.retryable;
  if (error instanceof kafkajs.KafkaJSAggregateError) return error.errors.every(isPassing);
  if (error instanceof kafkajs.KafkaJSNumberOfRetriesExceeded) return isPassing(error.cause);
  if (!(error instanceof kafkajs.KafkaJSError)) return false;
  return error.retriable || PASSING_ALTHOUGH_FINAL.has(error.name);
}

/**
 * Retries with growing pauses while the fault is transient and the time is not over; then throws the last
 * one.
 */
export async function patiently<T>(ask: () => Promise<T>, patienceMs: number): Promise<T> {
  const until = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error) || performance.now() + pauseMs > until) throw error;
    }
    await pause(pauseMs);
  }
}
