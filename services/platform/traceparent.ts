import { randomBytes } from "node:crypto";

const FORM =
  /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(?:-.*)?$/;
const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
const NOT_RECORDED = "00";

/**
 * A W3C `traceparent` for a consequence of `cause`: a new span of its trace, or a new trace if it is
 * absent or invalid.
 */
export function nextTraceparent(cause?: string): string {
  const [, trace, flags] = FORM.exec(cause ?? "") ?? [];
  const traceId = trace ?? randomBytes(TRACE_BYTES).toString("hex");
  return `00-${traceId}-${randomBytes(SPAN_BYTES).toString("hex")}-${flags ?? NOT_RECORDED}`;
}
