import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { InMemorySpanExporter, type ReadableSpan } from "@opentelemetry/sdk-trace";
import { createLogger } from "../../../services/platform/logger.ts";
import { createSdkTracing } from "../../../services/platform/tracing/sdk-tracing.ts";
import type { Tracing } from "../../../services/platform/tracing/tracing.ts";
import type { TracingConfig } from "../../../services/platform/tracing/start-tracing.ts";

/** A span as a test compares it. */
export interface RecordedSpan {
  readonly name: string;
  readonly kind: string;
  readonly traceparent: string;
  readonly traceId: string;
  readonly parentSpanId: string | null;
  readonly linkedTraceIds: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
}

export interface SpanRecorder {
  readonly tracing: Tracing;
  /** The spans that have ended, in that order; afterwards nothing is recorded any more. */
  readonly spans: () => Promise<RecordedSpan[]>;
}

/** Keeps what it holds when it is shut down. */
class KeptSpans extends InMemorySpanExporter {
  override shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** The SDK's tracing with its exporter into memory; samples everything that no parent decides, unless an option says otherwise. */
export function recordSpans(
  config: Pick<TracingConfig, "sampler" | "ratio"> = { sampler: "parentbased_always_on", ratio: 1 },
): SpanRecorder {
  const exporter = new KeptSpans();
  const log = createLogger("test", "silent");
  const tracing = createSdkTracing({ service: "test", config, exporter, log });
  return {
    tracing,
    spans: async () => {
      await tracing.stop();
      return exporter.getFinishedSpans().map(recordedSpan);
    },
  };
}

function recordedSpan(span: ReadableSpan): RecordedSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    name: span.name,
    kind: SpanKind[span.kind].toLowerCase(),
    traceparent: `00-${traceId}-${spanId}-0${traceFlags}`,
    traceId,
    parentSpanId: span.parentSpanContext?.spanId ?? null,
    linkedTraceIds: span.links.map(({ context }) => context.traceId),
    attributes: span.attributes,
    failed: span.status.code === SpanStatusCode.ERROR,
  };
}
