import {
  ROOT_CONTEXT,
  SpanKind as SdkKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type Tracer,
} from "@opentelemetry/api";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
  type Span as StartedSpan,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace";
import { ExportResultCode } from "@opentelemetry/core";
import type { Logger } from "../logger.ts";
import { isSampled, parseTraceparent } from "../traceparent.ts";
import type { SamplerName, TracingConfig } from "./start-tracing.ts";
import type {
  DropReason,
  OpenSpan,
  SpanAttributes,
  SpanKind,
  SpanOptions,
  Tracing,
} from "./tracing.ts";

const SCOPE = "number-porting-service";
/** A consumer's batch links to as many messages. */
const MOST_LINKS = 512;
const STOP_MS = 2_000;

const KINDS: Readonly<Record<SpanKind, SdkKind>> = {
  internal: SdkKind.INTERNAL,
  server: SdkKind.SERVER,
  client: SdkKind.CLIENT,
  producer: SdkKind.PRODUCER,
  consumer: SdkKind.CONSUMER,
};

interface SdkTracingOptions {
  /** The default of `service.name`. */
  readonly service: string;
  readonly config: Pick<TracingConfig, "sampler" | "ratio">;
  readonly exporter: SpanExporter;
  readonly log: Logger;
}

/** Traces by the OpenTelemetry SDK. Nothing is registered globally, and no module is patched. */
export function createSdkTracing({ service, config, exporter, log }: SdkTracingOptions): Tracing {
  const queue = new SpanQueue({ exporter, log });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": service }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    sampler: createSampler(config),
    spanLimits: { linkCountLimit: MOST_LINKS },
    spanProcessors: [queue],
  });
  const tracer = provider.getTracer(SCOPE);
  return {
    start: (name, options) => new SdkSpan(startSpan(tracer, name, options)),
    onDropped: (report) => queue.onDropped(report),
    stop: () => stopInTime(provider, log),
  };
}

function startSpan(
  tracer: Tracer,
  name: string,
  { kind, parent, links = [], attributes }: SpanOptions,
): Span {
  const cause = spanContextOf(parent);
  const context = cause === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, cause);
  const linked = links.map(spanContextOf).filter((one) => one !== null);
  const options = { kind: KINDS[kind], attributes, links: linked.map((one) => ({ context: one })) };
  return tracer.startSpan(name, options, context);
}

class SdkSpan implements OpenSpan {
  readonly #span: Span;
  #hasEnded = false;

  constructor(span: Span) {
    this.#span = span;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get traceparent(): string {
    return traceparentOf(this.#span.spanContext());
  }

  get isRecorded(): boolean {
    return this.#span.isRecording();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  end(error?: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (error !== undefined) {
      this.#span.setAttribute("error.type", error);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

async function stopInTime(provider: TracerProvider, log: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, STOP_MS, "late");
  });
  // A batch that is not taken has been reported by the queue.
  const flushed = provider.shutdown().catch(() => undefined);
  if ((await Promise.race([flushed, late])) === "late") {
    log.warn("the last spans were not exported before the stop");
  }
  clearTimeout(timer);
}

function createSampler({ sampler, ratio }: Pick<TracingConfig, "sampler" | "ratio">) {
  const own = ownSampler(sampler, ratio);
  return sampler.startsWith("parentbased_") ? followingCauses(own) : own;
}

function ownSampler(name: SamplerName, ratio: number): Sampler {
  switch (name) {
    case "always_on":
    case "parentbased_always_on":
      return new AlwaysOnSampler();
    case "always_off":
    case "parentbased_always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
    case "parentbased_traceidratio":
      return new TraceIdRatioBasedSampler(ratio);
  }
}

/** As its parent; a span that links to several causes instead is sampled where one of them is. */
function followingCauses(root: Sampler): Sampler {
  const asParent = new ParentBasedSampler({ root });
  return {
    shouldSample: (...given) => {
      const links: readonly Link[] = given[5];
      if (links.length === 0) return asParent.shouldSample(...given);
      const isWanted = links.some(({ context }) => isSampledContext(context));
      const { RECORD_AND_SAMPLED, NOT_RECORD } = SamplingDecision;
      return { decision: isWanted ? RECORD_AND_SAMPLED : NOT_RECORD };
    },
    toString: () => asParent.toString(),
  };
}

/** The SDK's form of a `traceparent` from another process; null where it is absent or invalid. */
function spanContextOf(traceparent: string | undefined): SpanContext | null {
  const parts = parseTraceparent(traceparent);
  if (parts === null) return null;
  const { traceId, spanId } = parts;
  const traceFlags = isSampled(parts) ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote: true };
}

function isSampledContext({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}

function traceparentOf(context: SpanContext): string {
  const { traceId, spanId } = context;
  return `00-${traceId}-${spanId}-${isSampledContext(context) ? "01" : "00"}`;
}

/** How many may wait: a few MB. */
const MOST_WAITING = 2_048;
const EXPORT_DELAY_MS = 2_000;
const LOG_EVERY_MS = 60_000;

interface SpanQueueOptions {
  readonly exporter: SpanExporter;
  readonly log: Logger;
  readonly mostWaiting?: number;
  readonly delayMs?: number;
  readonly nowMs?: () => number;
}

/**
 * Ended spans on their way to the collector, in batches. Nobody waits for it: what does not fit, or the collector does
 * not take, is dropped, counted, and reported in the log once a minute at most.
 */
export class SpanQueue implements SpanProcessor {
  readonly #options: Required<SpanQueueOptions>;
  readonly #batches: BatchSpanProcessor;
  #waiting = 0;
  #report: (reason: DropReason, spans: number) => void = () => undefined;
  #unlogged = 0;
  #loggedAtMs = -Infinity;

  constructor(options: SpanQueueOptions) {
    this.#options = {
      mostWaiting: MOST_WAITING,
      delayMs: EXPORT_DELAY_MS,
      nowMs: () => performance.now(),
      ...options,
    };
    const { mostWaiting, delayMs } = this.#options;
    this.#batches = new BatchSpanProcessor({
      exporter: this.#counted(options.exporter),
      // This class counts what waits, so the SDK's own limit is never reached.
      maxQueueSize: mostWaiting,
      scheduledDelayMillis: delayMs,
    });
  }

  onDropped(report: (reason: DropReason, spans: number) => void): void {
    this.#report = report;
  }

  onStart(span: StartedSpan, parent: Context): void {
    this.#batches.onStart(span, parent);
  }

  onEnd(span: ReadableSpan): void {
    if (!isSampledContext(span.spanContext())) return;
    if (this.#waiting >= this.#options.mostWaiting) {
      this.#drop("queue_full", 1);
      return;
    }
    this.#waiting += 1;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }

  #counted(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) => {
        this.#waiting -= spans.length;
        exporter.export(spans, (result) => {
          const isTaken = result.code === ExportResultCode.SUCCESS;
          if (!isTaken) this.#drop("export_failed", spans.length, result.error);
          done(result);
        });
      },
      shutdown: () => exporter.shutdown(),
    };
  }

  #drop(reason: DropReason, spans: number, error?: Error): void {
    this.#report(reason, spans);
    this.#unlogged += spans;
    const nowMs = this.#options.nowMs();
    if (nowMs - this.#loggedAtMs < LOG_EVERY_MS) return;
    this.#loggedAtMs = nowMs;
    const fields = { err: error, reason, spans: this.#unlogged };
    this.#options.log.warn(fields, "spans were dropped: the collector did not take them in time");
    this.#unlogged = 0;
  }
}
