import { randomBytes } from "node:crypto";

const FORM =
  /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
const NOT_SAMPLED = "00";
const SAMPLED_BIT = 1;

/** The parts of a W3C `traceparent`, in hexadecimal digits. */
export interface TraceparentParts {
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

/** Whether whoever wrote it records the trace. */
export function isSampled({ flags }: Pick<TraceparentParts, "flags">): boolean {
  return (Number.parseInt(flags, 16) & SAMPLED_BIT) !== 0;
}

/**
 * A W3C `traceparent` for a consequence of `cause`: a new span of its trace, or a new trace if it is
 * absent or invalid.
 */
export function nextTraceparent(cause?: string): string {
  const parts = parseTraceparent(cause);
  const traceId = parts?.traceId ?? randomBytes(TRACE_BYTES).toString("hex");
  const flags = parts?.flags ?? NOT_SAMPLED;
  return `00-${traceId}-${randomBytes(SPAN_BYTES).toString("hex")}-${flags}`;
}
