import type { EnclosingSpan } from "./current-span.ts";
import type { SpanAttributes } from "./span-attributes.ts";

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
