import { AppError, type ErrorCode, type Fault } from "../errors.ts";

interface Kind {
  readonly status: number;
  readonly title: string;
}

/** The only table from code to HTTP status and title; it has every code that a client may see. */
export const PROBLEMS = {
  malformed_json: { status: 400, title: "The body is malformed" },
  invalid_parameter: { status: 400, title: "A query parameter is not valid" },
  invalid_header: { status: 400, title: "A header is not valid" },
  unauthorized: { status: 401, title: "A valid API key is required" },
  account_suspended: { status: 403, title: "The account is suspended" },
  forbidden: { status: 403, title: "Not allowed" },
  not_found: { status: 404, title: "Resource not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  not_acceptable: { status: 406, title: "No acceptable representation" },
  invalid_state: { status: 409, title: "Not allowed in the current state" },
  not_ready: { status: 409, title: "Required information is missing" },
  last_active_key: { status: 409, title: "The last active key cannot be revoked" },
  number_in_active_order: { status: 409, title: "A number is in another active order" },
  cancel_too_late: { status: 409, title: "It is too late to cancel" },
  change_too_late: { status: 409, title: "It is too late for a change" },
  endpoint_paused: { status: 409, title: "The endpoint is paused" },
  idempotency_in_progress: { status: 409, title: "The first request is still in progress" },
  claimed: { status: 409, title: "Claimed by another operator" },
  already_decided: { status: 409, title: "Already decided" },
  quota_exceeded: { status: 409, title: "The account's quota is exhausted" },
  payload_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body's media type is not supported" },
  validation_failed: { status: 422, title: "The request is not valid" },
  webhook_url_blocked: { status: 422, title: "The webhook URL is not allowed" },
  idempotency_key_reused: { status: 422, title: "The idempotency key belongs to another request" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Internal server error" },
  unavailable: { status: 503, title: "Temporarily unavailable" },
} as const satisfies Partial<Record<ErrorCode, Kind>>;

export type ProblemCode = keyof typeof PROBLEMS;

/** What a caller identifies itself by: a customer's key, or an operator's token. */
export type Credential = "API key" | "token";

const NO_TOKEN = {
  title: "A valid token is required",
  detail: "Send one active token as Authorization: Bearer.",
};

/** The title of a problem for callers with such a credential. */
export function problemTitle(code: ProblemCode, credential: Credential = "API key"): string {
  return code === "unauthorized" && credential === "token" ? NO_TOKEN.title : PROBLEMS[code].title;
}

/** Codes of an unavailable dependency; any other internal code is `internal` to a client. */
const DEPENDENCY_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "database_unavailable",
  "broker_unavailable",
  "registry_unavailable",
]);

/** Fixed texts: neither the reason of a 401 nor internals are shown. */
const FIXED_DETAIL: Partial<Record<ProblemCode, string>> = {
  unauthorized: "Send one active API key as Authorization: Bearer or as X-API-Key.",
  internal: "The request could not be handled. Quote the request id when you report this.",
};

const DEPENDENCY_DETAIL = "A part of the service is temporarily unavailable. Try again.";

const HEADERS: Partial<Record<ProblemCode, Readonly<Record<string, string>>>> = {
  unauthorized: { "WWW-Authenticate": "Bearer" },
  rate_limited: { "Retry-After": "1" },
  unavailable: { "Retry-After": "2" },
};

interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  readonly errors?: readonly Fault[];
}

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ProblemBody;
}

function isProblemCode(code: ErrorCode): code is ProblemCode {
  return code in PROBLEMS;
}

/** The RFC 9457 response for any thrown value; anything but an AppError becomes a bare 500. */
export function toProblem(
  error: unknown,
  requestId: string,
  credential: Credential = "API key",
): ProblemAnswer {
  const answer = answerTo(error, requestId);
  if (answer.body.code !== "unauthorized" || credential === "API key") return answer;
  return { ...answer, body: { ...answer.body, ...NO_TOKEN } };
}

function answerTo(error: unknown, requestId: string): ProblemAnswer {
  if (!(error instanceof AppError)) return problem("internal", "", requestId);
  if (!isProblemCode(error.code)) {
    return problem(
      DEPENDENCY_CODES.has(error.code) ? "unavailable" : "internal",
      DEPENDENCY_DETAIL,
      requestId,
    );
  }
  const { faults, message } = error;
  const answer = problem(error.code, message, requestId);
  // Why a link opens nothing may be shown; why a key does not is never shown.
  const shown = error.code === "unauthorized" ? { detail: message } : {};
  return {
    status: answer.status,
    headers: { ...answer.headers, ...error.headers },
    body: faults.length === 0 ? answer.body : { ...answer.body, ...shown, errors: faults },
  };
}

function problem(code: ProblemCode, detail: string, requestId: string): ProblemAnswer {
  const { status, title } = PROBLEMS[code];
  return {
    status,
    headers: HEADERS[code] ?? {},
    body: {
      type: `urn:numberporting:problem:${code}`,
      title,
      status,
      detail: FIXED_DETAIL[code] ?? detail,
      code,
      request_id: requestId,
    },
  };
}
