import { StringDecoder } from "node:string_decoder";
import type { Dispatcher } from "undici";
import {
  attemptError,
  type AttemptErrorCode,
  type AttemptLogEntry,
} from "../../domain/webhook/rules/delivery.ts";
import { signatureHeaders } from "../../domain/webhook/rules/signature.ts";
import type { Clock } from "../../platform/clock.ts";
import type { OpenSpan, Tracing } from "../../platform/tracing/tracing.ts";
import type { ClaimedDelivery } from "../store/claim-deliveries.ts";
import { STORED_BYTES, startExchange, Unsent, type Answer, type Exchange } from "./exchange.ts";
import type { AttemptResult } from "../store/record-results.ts";

const USER_AGENT = "number-porting-webhooks/2";

export interface AttemptContext {
  readonly client: Dispatcher;
  readonly clock: Clock;
  readonly tracing: Tracing | null;
  /** The delays of the retry schedule, in order. */
  readonly delaysMs: readonly number[];
  /** For the whole exchange; 15 s by default. */
  readonly deadlineMs?: number;
}

export interface RunningAttempt {
  /** Never rejects; null if it was cancelled, `Unsent` if the operator's proxy could not be used. */
  readonly result: Promise<AttemptResult | Unsent | null>;
  cancel(): void;
}

/** Sends the stored bytes once, with a current signature, to the current URL. */
export function startAttempt(
  context: AttemptContext,
  delivery: ClaimedDelivery,
  secrets: readonly string[],
): RunningAttempt {
  const startedAt = context.clock.now();
  const startedMs = performance.now();
  const span = startAttemptSpan(context.tracing, delivery);
  const exchange = post(context, delivery, { at: startedAt, secrets });
  const result = exchange.answer.then((answer) => {
    endAttemptSpan(span, answer);
    if (answer === null || answer instanceof Unsent) return answer;
    const durationMs = Math.round(performance.now() - startedMs);
    return toResult(context, delivery, { answer, startedAt, durationMs });
  });
  return { result, cancel: () => exchange.cancel() };
}

function post(
  { client, deadlineMs }: AttemptContext,
  { account_id: owner, url, body, event_id: eventId, event_type }: ClaimedDelivery,
  signing: { readonly at: Date; readonly secrets: readonly string[] },
): Exchange {
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": USER_AGENT,
    "Accept-Encoding": "identity",
    "Porting-Event-Id": eventId,
    "Porting-Event-Type": event_type,
    ...signatureHeaders({ eventId, body, ...signing }),
  };
  return startExchange(client, { owner, url, headers, body }, deadlineMs);
}

function toResult(
  { delaysMs }: AttemptContext,
  delivery: ClaimedDelivery,
  {
    answer,
    startedAt,
    durationMs,
  }: { readonly answer: Answer; readonly startedAt: Date; readonly durationMs: number },
): AttemptResult {
  const endedAt = new Date(startedAt.getTime() + durationMs);
  const failure = failureOf(answer);
  const entry: AttemptLogEntry = {
    attempt: delivery.attempt_count,
    started_at: startedAt.toISOString(),
    duration_ms: durationMs,
    response_code: answer.status,
    error: failure === null ? null : attemptError(failure),
    response_body: answer.status === null ? null : toText(answer.body),
  };
  const { attempt_count: attemptCount, by_hand: single } = delivery;
  const outcome =
    failure === null
      ? { trigger: "attempt_succeeded" as const }
      : nextStep({ attemptCount, single, endedAt }, delaysMs);
  return { delivery, outcome, endedAt, entry };
}

function failureOf({ status, failure }: Answer): AttemptErrorCode | null {
  if (status === null) return failure ?? "connection_failed";
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "http_error";
}

/** Postgres cannot store NUL. Invalid UTF-8 becomes U+FFFD, which may take three times the bytes. */
function toText(body: Buffer): string {
  const text = decode(body).replaceAll("\0", "\ufffd");
  return Buffer.byteLength(text) <= STORED_BYTES ? text : decode(Buffer.from(text));
}

/** Decodes the part that is kept, without a truncated last character. */
function decode(bytes: Buffer): string {
  return new StringDecoder("utf8").write(bytes.subarray(0, STORED_BYTES));
}

/** How an attempt ended, as a trigger of its delivery's move. `step` is the index of the delay that follows it. */
export type AttemptOutcome =
  | { readonly trigger: "attempt_succeeded" | "last_attempt_failed" }
  | { readonly trigger: "attempt_failed"; readonly dueAt: Date; readonly step: number };

/**
 * The nth failed attempt is followed by the nth delay of the schedule, counted from the attempt's end;
 * none follows the last, or a `single` one that was requested by hand.
 */
export function nextStep(
  failed: { readonly attemptCount: number; readonly single: boolean; readonly endedAt: Date },
  delaysMs: readonly number[],
): AttemptOutcome {
  const step = failed.attemptCount - 1;
  const delayMs = failed.single ? undefined : delaysMs[step];
  if (delayMs === undefined) return { trigger: "last_attempt_failed" };
  return { trigger: "attempt_failed", dueAt: new Date(failed.endedAt.getTime() + delayMs), step };
}

/**
 * The span of an attempt, in the trace of the change that the webhook reports, however late the attempt is; null where
 * that trace is not sampled. It names the endpoint by its key alone: a URL may hold a secret.
 */
export function startAttemptSpan(
  tracing: Tracing | null,
  delivery: ClaimedDelivery,
): OpenSpan | null {
  if (tracing === null || delivery.traceparent === null) return null;
  return tracing.start("POST", {
    kind: "client",
    parent: delivery.traceparent,
    attributes: {
      "http.request.method": "POST",
      "webhook.attempt": delivery.attempt_count,
      "webhook.delivery_id": delivery.id,
      "webhook.endpoint_key": delivery.endpoint_key,
      "webhook.event_type": delivery.event_type,
    },
  });
}

/** Ends an attempt's span as the exchange ended: null if it was cancelled. */
export function endAttemptSpan(span: OpenSpan | null, answer: Answer | Unsent | null): void {
  if (span === null) return;
  if (answer === null || answer instanceof Unsent) {
    span.end(answer === null ? "cancelled" : "unsent");
    return;
  }
  const { status, failure } = answer;
  if (status === null) {
    span.end(failure ?? "connection_failed");
    return;
  }
  span.set({ "http.response.status_code": status });
  span.end(status >= 200 && status < 300 ? undefined : String(status));
}
