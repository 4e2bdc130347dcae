import { setTimeout as pause } from "node:timers/promises";
import kafkajs from "kafkajs";
import { databaseFault } from "../db/database-fault.ts";
import { AppError, type ErrorCode } from "../errors.ts";

/**
 * poison: this message can never be handled; transient: nothing can be handled now; bug: anything else
 * (docs/contract/messages.md, Errors).
 */
type ErrorClass = "poison" | "transient" | "bug";

const POISON = [
  "undecodable",
  "unknown_schema",
  "null_value",
  "invalid_message",
  "unknown_order",
  "unknown_number",
  "unknown_port_out",
  "unknown_decision",
  "rule_broken",
  "provider_mismatch",
  "update_conflict",
  "handler_died",
] as const satisfies readonly ErrorCode[];

const IS_POISON: ReadonlySet<ErrorCode> = new Set<ErrorCode>(POISON);

/** Every code under which a message may be dead-lettered. */
export const DEAD_LETTER_CODES = [
  ...POISON,
  "handler_failed",
] as const satisfies readonly ErrorCode[];

export function classifyError(error: unknown): ErrorClass {
  const known = databaseFault(error);
  if (!(known instanceof AppError)) return "bug";
  if (known.retryable) return "transient";
  return IS_POISON.has(known.code) ? "poison" : "bug";
}

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

interface KafkaPlace {
  readonly brokers: readonly string[];
  /** Undefined without a login. */
  readonly user: string | undefined;
}

/** What a command line program says where Kafka refused it or was not reached; any other error as it is. */
export function kafkaFault(error: unknown, { brokers, user }: KafkaPlace): unknown {
  if (!(error instanceof Error) || !error.name.startsWith("KafkaJS")) return error;
  const at = brokers.join(",");
  const who = user === undefined ? "without a user" : `as ${user}`;
  const detail = /SASL|Authentication/i.test(`${error.name} ${error.message}`)
    ? `Kafka at ${at} refuses the login ${who}: ${error.message}`
    : isRefusal(error)
      ? `Kafka at ${at} does not let this program, ${who}, do what it has to: ${error.message}`
      : `Kafka at ${at} cannot be reached ${who}: ${error.message}`;
  return new AppError("invalid_config", detail, { cause: error });
}

/** A user without rights on a group gets the answer that its coordinator is not found. */
function isRefusal({ name, message }: Error): boolean {
  return name === "KafkaJSGroupCoordinatorNotFound" || /not authorized/i.test(message);
}
