import type { Fault, Problem } from "./generated/api-types.ts";

/** What every error of this client is. */
export class PortingError extends Error {
  override readonly name: string = "PortingError";
}

/** The API refused a request, or something else answered in its place; the message is the problem's `detail`. */
export class ApiError extends PortingError {
  override readonly name = "ApiError";
  readonly status: number;
  /** Stable, for programs: `not_ready`, `rate_limited` …; `http_<status>` where it was not the API that answered. */
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** To quote when reporting a problem; null where an answer on the way to the API had none. */
  readonly requestId: string | null;
  /** Every fault of the request, with its place. */
  readonly faults: readonly Fault[];
  /** How long the API asks to wait before the next try; null where it does not say. */
  readonly retryAfterMs: number | null;

  constructor(problem: Problem, retryAfterMs: number | null = null) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.title = problem.title;
    this.detail = problem.detail;
    this.requestId = problem.request_id === "" ? null : problem.request_id;
    this.faults = problem.errors ?? [];
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer, or no whole one: the API could not be reached, was cut off, or took too long. */
export class ConnectionError extends PortingError {
  override readonly name = "ConnectionError";
}

/** Whether the API says that the object does not exist; a proxy's answer says nothing about it. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === "not_found";
}

/** The error of an answer that is not 2xx; one that is not the API's, such as a proxy's, gets the code `http_<status>`. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const { status, statusText, headers } = response;
  const retryAfterMs = readRetryAfter(headers.get("Retry-After"), Date.now());
  const problem = readProblem(await response.text());
  if (problem !== null) return new ApiError(problem, retryAfterMs);
  const [location] = (headers.get("Location") ?? "").split("?");
  const target = location === undefined || location === "" ? "" : `, to ${location}`;
  const answer = `${status} ${statusText}`.trimEnd();
  return new ApiError(unknownProblem(response, `The answer was ${answer}${target}.`), retryAfterMs);
}

/** The error of an answer that is 2xx, but not what the API sends: a page of a proxy, or another server. */
export function unexpectedAnswer(response: Response, expected: string): ApiError {
  const type = response.headers.get("Content-Type") ?? "of no type";
  return new ApiError(unknownProblem(response, `The answer is not ${expected}: it is ${type}.`));
}

function unknownProblem({ status, statusText, headers }: Response, detail: string): Problem {
  const title = statusText === "" ? `HTTP ${status}` : statusText;
  const request_id = headers.get("Request-Id") ?? "";
  return { type: "about:blank", title, status, detail, code: `http_${status}`, request_id };
}

function readProblem(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof value === "object" && value !== null && "code" in value;
    return isProblem ? (value as Problem) : null;
  } catch {
    return null;
  }
}

/** `Retry-After` in ms, given in seconds or as a date; null without one. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null || header === "") return null;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
