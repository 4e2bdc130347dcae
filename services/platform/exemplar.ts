import { isSampled, parseTraceparent } from "./traceparent.ts";

/** The labels by which a sample names its trace; none where the trace is not recorded, since nobody could open it. */
export function exemplarOf(traceparent: string | null | undefined): Record<string, string> {
  if (traceparent == null || traceparent === "") return {};
  const parts = parseTraceparent(traceparent);
  if (parts === null || !isSampled(parts)) return {};
  return { trace_id: parts.traceId, span_id: parts.spanId };
}
