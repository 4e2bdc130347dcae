import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";

/**
 * Every attribute that a span may have. Spans leave the installation, so none of them is a path, a query, a message key,
 * a URL or a text: these hold phone numbers, names and secrets.
 */
export const SPAN_ATTRIBUTES = [
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "messaging.batch.message_count",
  "messaging.consumer.group.name",
  "messaging.destination.name",
  "messaging.destination.partition.id",
  "messaging.kafka.offset",
  "messaging.message.id",
  "messaging.operation.name",
  "messaging.operation.type",
  "messaging.system",
  "webhook.attempt",
  "webhook.delivery_id",
  "webhook.endpoint_key",
  "webhook.event_type",
] as const;

export type SpanAttributes = Readonly<
  Partial<Record<(typeof SPAN_ATTRIBUTES)[number], string | number>>
>;

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export interface SpanOptions {
  readonly kind: SpanKind;
  /** The `traceparent` of the cause; without a valid one the span starts a trace. */
  readonly parent?: string | undefined;
  /** The `traceparent` of each of several causes, none of which is the parent. */
  readonly links?: readonly (string | undefined)[];
  readonly attributes: SpanAttributes;
}

/** A span that has begun. Whoever starts it ends it. */
export interface OpenSpan extends EnclosingSpan {
  /** False where the trace is not sampled: the span only passes on its trace. */
  readonly isRecorded: boolean;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** `error` is a code or a class of errors, never a message: messages may quote what customers sent. */
  end(error?: string): void;
}

/** Why spans were lost: more ended than could be exported, or the collector did not take them. */
export type DropReason = "queue_full" | "export_failed";

/** The traces of a process; where tracing is off there is none. */
export interface Tracing {
  /** Begins a span; `name` has few values, such as `POST /v2/things` or `process things`. */
  start(name: string, options: SpanOptions): OpenSpan;
  /** Reports every loss of spans from now on. */
  onDropped(report: (reason: DropReason, spans: number) => void): void;
  /** Exports what is left, for 2 s at most; never rejects. */
  stop(): Promise<void>;
}

/** A span as seen by what happens within it. */
export interface EnclosingSpan {
  readonly traceId: string;
  /** The W3C traceparent that names the span. */
  readonly traceparent: string;
  readonly hasEnded: boolean;
}

const storage = new AsyncLocalStorage<EnclosingSpan | null>();

/** The span that the caller runs in; null outside of spans, and always where tracing is off. */
export function currentSpan(): EnclosingSpan | null {
  return storage.getStore() ?? null;
}

/** As `currentSpan`, but null once the span has ended, as it has for what a span left behind, such as a connection. */
export function runningSpan(): EnclosingSpan | null {
  const span = currentSpan();
  return span?.hasEnded === false ? span : null;
}

/** Runs work, and all that it awaits or schedules, within a span. */
export function runInSpan<T>(span: EnclosingSpan, work: () => T): T {
  return storage.run(span, work);
}

/** Runs what several callers share, which belongs to the span of none of them. */
export function runOutsideSpans<T>(work: () => T): T {
  return currentSpan() === null ? work() : storage.run(null, work);
}

interface NamedSpan extends SpanOptions {
  readonly name: string;
}

/** Runs work in a span of its own, which fails as the work does; without tracing just runs it. */
export async function inSpan<T>(
  tracing: Tracing | null,
  { name, ...options }: NamedSpan,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === null) return work();
  const span = tracing.start(name, options);
  try {
    const result = await runInSpan(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(errorTypeOf(error));
    throw error;
  }
}

/** The `error.type` of a span: the code of an error of ours, else the class. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : "unknown";
}

/** Counts the spans that are lost; without tracing there is nothing to count. */
export function countDroppedSpans(metrics: Metrics, tracing: Tracing | null): void {
  if (tracing === null) return;
  const dropped = metrics.counter({
    name: "otel_spans_dropped_total",
    help: "Spans that were lost: the queue was full, or the collector did not take them",
    labels: ["reason"],
  });
  tracing.onDropped((reason, spans) => dropped.inc({ reason }, spans));
}
