import { randomFillSync } from "node:crypto";
import { currentSpan, runningSpan } from "./tracing/tracing.ts";

const FORM =
  /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
const NOT_SAMPLED = "00";
const SAMPLED_BIT = 1;

/** The parts of a W3C `traceparent`, in hexadecimal digits. */
interface TraceparentParts {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: string;
}

/** Null where the text is absent or is not a `traceparent`. */
export function parseTraceparent(text: string | undefined): TraceparentParts | null {
  const [, traceId, spanId, flags] = FORM.exec(text ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, flags };
}

export function formatTraceparent({ traceId, spanId, flags }: TraceparentParts): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

/** Whether whoever wrote it records the trace. */
export function isSampled({ flags }: Pick<TraceparentParts, "flags">): boolean {
  return (Number.parseInt(flags, 16) & SAMPLED_BIT) !== 0;
}

/**
 * The W3C `traceparent` of a consequence of `cause`: the current span where it belongs to the same trace, else the
 * cause itself, which is passed on as it came. Without a cause it is that of the current span, or a new trace.
 */
export function nextTraceparent(cause?: string): string {
  const parts = parseTraceparent(cause);
  if (parts !== null) {
    const span = currentSpan();
    if (span?.traceId === parts.traceId) return span.traceparent;
    return formatTraceparent(parts);
  }
  const running = runningSpan();
  if (running !== null) return running.traceparent;
  const flags = NOT_SAMPLED;
  return formatTraceparent({
    traceId: randomHex(TRACE_BYTES),
    spanId: randomHex(SPAN_BYTES),
    flags,
  });
}

/** A `traceparent` from outside as it may be stored; null where it is absent or invalid. */
export function storableTraceparent(text: string | undefined): string | null {
  const parts = parseTraceparent(text);
  return parts === null ? null : formatTraceparent(parts);
}

/** The `traceparent` of the current span, to be kept for what follows much later; null where it is not sampled. */
export function sampledTraceparent(): string | null {
  const parts = parseTraceparent(runningSpan()?.traceparent);
  return parts !== null && isSampled(parts) ? formatTraceparent(parts) : null;
}

/** Random bytes are drawn for many ids at once, since each draw costs more than an id. */
const entropy = Buffer.alloc(4_096);
let spent = entropy.length;

function randomHex(bytes: number): string {
  if (spent + bytes > entropy.length) {
    randomFillSync(entropy);
    spent = 0;
  }
  spent += bytes;
  return entropy.toString("hex", spent - bytes, spent);
}
