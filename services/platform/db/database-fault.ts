import { AppError } from "../errors.ts";

const QUERY_CANCELED: ReadonlySet<string> = new Set(["57014"]);
const LOCK_NOT_GIVEN: ReadonlySet<string> = new Set(["55P03", "40P01"]);
/** SQLSTATE classes and codes of transient faults. */
const TRANSIENT_STATES = /^(08|53|57P|58)|^(40001|40P01|55P03|57014|25P03|25P02)$/;
const TRANSIENT_SYSTEM_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "ENOTFOUND",
]);
/** Messages of errors without a code, when a connection ends during a query or none is available. */
const TRANSIENT_MESSAGES =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|not queryable|connection error|pool after calling end|not currently accepting connections/;

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Whether the driver waited for an answer in vain: the connection is of no use, not even to roll back. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message === "Query read timeout" || isUnanswered(error.cause);
}

/** Whether the server cancelled a statement, as it does with one that takes too long: a smaller one may be in time. */
export function isStatementTimeout(error: unknown): boolean {
  return hasState(error, QUERY_CANCELED);
}

/** Whether a statement waited too long for a lock, or was chosen to end a deadlock: what it wanted is held, nothing is away. */
export function isLockFault(error: unknown): boolean {
  return hasState(error, LOCK_NOT_GIVEN);
}

/** Whether an error, or what caused it, has one of these SQLSTATEs. */
function hasState(error: unknown, states: ReadonlySet<string>): boolean {
  if (!(error instanceof Error)) return false;
  return states.has(codeOf(error)) || hasState(error.cause, states);
}

/** The SQLSTATE and constraint of a failed statement; null if the value is not an error. */
export function constraintOf(error: unknown): { state: string; constraint: string } | null {
  if (!(error instanceof Error)) return null;
  const constraint =
    "constraint" in error && typeof error.constraint === "string" ? error.constraint : "";
  return { state: codeOf(error), constraint };
}

/** Turns a transient fault into a retryable `database_unavailable`; returns anything else unchanged. */
export function databaseFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const code = codeOf(error);
  const transient =
    TRANSIENT_STATES.test(code) ||
    TRANSIENT_SYSTEM_CODES.has(code) ||
    TRANSIENT_MESSAGES.test(error.message) ||
    (error instanceof AggregateError && error.errors.some((one) => databaseFault(one) !== one));
  if (!transient) return error;
  return new AppError("database_unavailable", "The database is not available.", {
    retryable: true,
    cause: error,
  });
}
