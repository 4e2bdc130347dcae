import { AsyncLocalStorage } from "node:async_hooks";

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
