import { databaseFault } from "../db/database-fault.ts";
import { AppError, type ErrorCode } from "../errors.ts";

/**
 * poison: this message can never be handled; transient: nothing can be handled now; bug: anything else
 * (docs/contract/messages.md, Errors).
 */
export type ErrorClass = "poison" | "transient" | "bug";

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
