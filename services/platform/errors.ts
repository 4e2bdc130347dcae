/**
 * Every code that a service may raise. Their HTTP statuses are defined only in
 * platform/http/problem/problem.ts.
 */
export const ERROR_CODES = [
  "malformed_json",
  "invalid_parameter",
  "invalid_header",
  "unauthorized",
  "account_suspended",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "not_acceptable",
  "invalid_state",
  "not_ready",
  "last_active_key",
  "number_in_active_order",
  "cancel_too_late",
  "change_too_late",
  "endpoint_paused",
  "idempotency_in_progress",
  "claimed",
  "already_decided",
  "quota_exceeded",
  "payload_too_large",
  "unsupported_media_type",
  "validation_failed",
  "webhook_url_blocked",
  "idempotency_key_reused",
  "rate_limited",
  "unavailable",
  "internal",
  // The bus: why a message cannot be handled (see platform/kafka/classify-error.ts).
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
  "handler_failed",
  "handler_died",
  // An unavailable dependency: processing pauses and is retried, never given up.
  "database_unavailable",
  "broker_unavailable",
  "registry_unavailable",
  // Deployment.
  "invalid_config",
  "topic_mismatch",
  "stack_failed",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** One fault of a request: its location (exactly one of pointer, parameter, header) and what is wrong. */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly code: string;
  readonly detail: string;
}

interface AppErrorOptions {
  readonly retryable?: boolean;
  readonly faults?: readonly Fault[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * The only error class: a code from a closed set, a sentence that may be shown to the caller, and the
 * cause for the log.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.faults = options.faults ?? [];
    this.headers = options.headers ?? {};
  }
}

/** The code of an error of Node, a driver or a library, such as `ENOENT`; empty where it has none. */
export function errorCodeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
