import type { Context } from "@opentelemetry/api";
import { ExportResultCode } from "@opentelemetry/core";
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type Span,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "../logger.ts";
import { isSampledContext } from "./span-context.ts";
import type { DropReason } from "./tracing.ts";

/** How many may wait: a few MB. */
const MOST_WAITING = 2_048;
const EXPORT_DELAY_MS = 2_000;
const LOG_EVERY_MS = 60_000;

export interface SpanQueueOptions {
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

  onStart(span: Span, parent: Context): void {
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
