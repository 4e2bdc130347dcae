import { describe, expect, it } from "@jest/globals";
import { ExportResultCode } from "@opentelemetry/core";
import { TracerProvider, type SpanExporter } from "@opentelemetry/sdk-trace";
import { createLogger } from "../logger.ts";
import { createMetrics } from "../metrics.ts";
import { countDroppedSpans } from "./dropped-spans.ts";
import { createSdkTracing } from "./sdk-tracing.ts";
import { SpanQueue } from "./span-queue.ts";

type Done = Parameters<SpanExporter["export"]>[1];

/** A collector that answers when it is asked to. */
class PausedExporter implements SpanExporter {
  readonly batches: { readonly spans: number; readonly done: Done }[] = [];
  #isReleased = false;

  export(spans: readonly unknown[], done: Done): void {
    this.batches.push({ spans: spans.length, done });
    if (this.#isReleased) done({ code: ExportResultCode.SUCCESS });
  }

  /** Answers from now on: the SDK watches each export with a timer. */
  release(): void {
    this.#isReleased = true;
    for (const { done } of this.batches) done({ code: ExportResultCode.SUCCESS });
  }

  shutdown(): Promise<void> {
    return new Promise(() => undefined);
  }
}

interface Loss {
  readonly reason: string;
  readonly spans: number;
}

function setUp(mostWaiting: number) {
  const exporter = new PausedExporter();
  const lines: string[] = [];
  const log = createLogger("test", "info", { write: (line) => void lines.push(line) });
  const clock = { ms: 0 };
  const queue = new SpanQueue({
    exporter,
    log,
    mostWaiting,
    delayMs: 1,
    nowMs: () => clock.ms,
  });
  const losses: Loss[] = [];
  queue.onDropped((reason, spans) => losses.push({ reason, spans }));
  const tracer = new TracerProvider({ spanProcessors: [queue] }).getTracer("test");
  const end = (spans: number): void => {
    for (let n = 0; n < spans; n += 1) tracer.startSpan("one").end();
  };
  return { exporter, queue, end, losses, lines, clock };
}

describe("the span queue", () => {
  it("drops what does not fit while the collector does not answer, and waits for nothing", async () => {
    const { exporter, queue, end, losses } = setUp(3);
    end(3);
    void queue.forceFlush().catch(() => undefined);
    await Promise.resolve();
    expect(exporter.batches.map(({ spans }) => spans)).toEqual([3]);
    end(5);
    expect(losses).toEqual([
      { reason: "queue_full", spans: 1 },
      { reason: "queue_full", spans: 1 },
    ]);
    exporter.release();
  });

  it("has room again for as many as were handed over", async () => {
    const { exporter, queue, end, losses } = setUp(2);
    for (let round = 0; round < 3; round += 1) {
      end(2);
      const flushed = queue.forceFlush();
      exporter.batches.at(-1)?.done({ code: ExportResultCode.SUCCESS });
      await flushed;
    }
    expect(losses).toEqual([]);
  });

  it("counts what the collector refused, and logs the losses of a minute in one line", async () => {
    const { exporter, queue, end, losses, lines, clock } = setUp(10);
    for (const ms of [0, 30_000, 60_000]) {
      clock.ms = ms;
      end(4);
      const flushed = queue.forceFlush();
      exporter.batches
        .at(-1)
        ?.done({ code: ExportResultCode.FAILED, error: new Error("connect ECONNREFUSED") });
      await expect(flushed).rejects.toThrow("ECONNREFUSED");
    }
    expect(losses).toEqual(
      Array.from({ length: 3 }, () => ({ reason: "export_failed", spans: 4 })),
    );
    expect(lines.map((line) => (JSON.parse(line) as { spans: number }).spans)).toEqual([4, 8]);
  });

  it("reports losses as a metric, by reason", async () => {
    const metrics = createMetrics("test");
    const log = createLogger("test", "silent");
    const config = { sampler: "always_on", ratio: 1 } as const;
    const exporter: SpanExporter = {
      export: (_spans, done) => done({ code: ExportResultCode.FAILED, error: new Error("503") }),
      shutdown: () => Promise.resolve(),
    };
    const tracing = createSdkTracing({ service: "test", config, exporter, log });
    countDroppedSpans(metrics, tracing);
    tracing.start("one", { kind: "internal", attributes: {} }).end();
    await tracing.stop();
    expect((await metrics.page()).text).toContain(
      'otel_spans_dropped_total{reason="export_failed",service="test"} 1',
    );
  });

  it("holds a stop up for 2 s at most where the collector does not answer", async () => {
    const lines: string[] = [];
    const log = createLogger("test", "info", { write: (line) => void lines.push(line) });
    const config = { sampler: "always_on", ratio: 1 } as const;
    const exporter = new PausedExporter();
    const tracing = createSdkTracing({ service: "test", config, exporter, log });
    tracing.start("one", { kind: "internal", attributes: {} }).end();
    const before = performance.now();
    await tracing.stop();
    const tookMs = performance.now() - before;
    exporter.release();
    expect(tookMs).toBeGreaterThan(1_900);
    expect(tookMs).toBeLessThan(3_000);
    expect(lines.join()).toContain("the last spans were not exported before the stop");
  });
});
