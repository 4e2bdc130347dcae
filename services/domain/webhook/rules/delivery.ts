import type { EventType } from "../../../messages/events.ts";

export const DELIVERY_STATUSES = [
  "pending",
  "retrying",
  "succeeded",
  "failed",
  "skipped",
  "cancelled",
] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** How a delivery ends in each status; null while an attempt is due or under way. */
const ENDS = {
  pending: null,
  retrying: null,
  succeeded: "received",
  failed: "given_up",
  skipped: "not_sent",
  cancelled: "not_sent",
} as const satisfies Record<DeliveryStatus, string | null>;

type DeliveryEnd = (typeof ENDS)[DeliveryStatus];

export function isWaitingStatus(status: DeliveryStatus): boolean {
  return ENDS[status] === null;
}

export function statusesThatEnd(...ends: readonly DeliveryEnd[]): readonly DeliveryStatus[] {
  return DELIVERY_STATUSES.filter((status) => ends.includes(ENDS[status]));
}

type DeliveryTrigger = "event" | "republish" | "recover" | "test";

/** Retries by hand end here: a log without end would be rewritten with each. */
export const MAX_ATTEMPTS = 100;

/** Why an attempt failed; fixed texts, so that no network error or address is exposed. */
export const ATTEMPT_ERRORS = {
  dns_error: "The host could not be resolved.",
  blocked_address: "The host resolves to an address that is not allowed.",
  not_https: "The URL does not start with https://.",
  connection_refused: "The connection was refused.",
  connection_reset: "The connection ended before there was a complete response head.",
  connection_failed: "The host could not be reached.",
  tls_expired: "The receiver's certificate has expired or is not valid yet.",
  tls_wrong_host: "The receiver's certificate is for another host name.",
  tls_untrusted:
    "The receiver's certificate is not signed by a trusted authority, or its chain is incomplete.",
  tls_version: "The receiver offers no version of TLS from 1.2 on.",
  tls_other: "A secure connection could not be established.",
  /** Of attempts before 0.4. */
  tls_error: "A secure connection could not be established.",
  timeout_connect: "No connection was established within the time allowed.",
  timeout_response: "No response within 15 seconds.",
  invalid_response: "The response is not valid HTTP.",
  redirect: "The receiver redirected; redirects are not followed.",
  http_error: "The receiver responded with a status other than 2xx.",
  interrupted: "The sender stopped before a result was recorded; the attempt is made again.",
} as const;

export type AttemptErrorCode = keyof typeof ATTEMPT_ERRORS;

/** One HTTP attempt in the delivery log. An interrupted one has the number of the attempt that follows it. */
export interface AttemptLogEntry {
  readonly attempt: number;
  readonly started_at: string;
  /** For an interrupted attempt, its longest possible duration. */
  readonly duration_ms: number;
  readonly response_code: number | null;
  readonly error: { readonly code: AttemptErrorCode; readonly message: string } | null;
  /** The first 4 KiB of the response body. */
  readonly response_body: string | null;
  /** Present where there was a body that is not shown: in lists, and of attempts between the first and the last ten. */
  readonly body_omitted?: true;
}

/** A delivery as its account sees it (docs/contract/customer-api.md, Webhook deliveries). */
export interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: EventType;
  /** Null if it went to an order's own `webhook_url`. */
  readonly webhook_endpoint_id: string | null;
  readonly url: string;
  readonly porting_order_id: string | null;
  readonly status: DeliveryStatus;
  readonly trigger: DeliveryTrigger;
  /** Attempts that have ended. */
  readonly attempt_count: number;
  /** Whether one is under way. */
  readonly attempting: boolean;
  /** Null if no attempt is scheduled or while one is in progress. */
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
  readonly completed_at: Date | null;
  readonly attempt_log: readonly AttemptLogEntry[];
  /** The exact body sent, parsed. */
  readonly payload: unknown;
}

export function attemptError(code: AttemptErrorCode): NonNullable<AttemptLogEntry["error"]> {
  return { code, message: ATTEMPT_ERRORS[code] };
}
