import { TraceFlags, type SpanContext } from "@opentelemetry/api";
import { isSampled, parseTraceparent } from "../traceparent.ts";

/** The SDK's form of a `traceparent` from another process; null where it is absent or invalid. */
export function spanContextOf(traceparent: string | undefined): SpanContext | null {
  const parts = parseTraceparent(traceparent);
  if (parts === null) return null;
  const { traceId, spanId } = parts;
  const traceFlags = isSampled(parts) ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote: true };
}

export function isSampledContext({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}

export function traceparentOf(context: SpanContext): string {
  const { traceId, spanId } = context;
  return `00-${traceId}-${spanId}-${isSampledContext(context) ? "01" : "00"}`;
}
