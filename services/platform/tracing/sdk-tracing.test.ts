import { describe, expect, it } from "@jest/globals";
import { ExportResultCode } from "@opentelemetry/core";
import { TracerProvider, type SpanExporter } from "@opentelemetry/sdk-trace";
import { recordSpans } from "../../../test/support/tracing/recorded-spans.ts";
import { AppError } from "../errors.ts";
import { createLogger } from "../logger.ts";
import { createMetrics } from "../metrics.ts";
import { createSdkTracing, SpanQueue } from "./sdk-tracing.ts";
import {
  countDroppedSpans,
  currentSpan,
  inSpan,
  runInSpan,
  runningSpan,
  runOutsideSpans,
} from "./tracing.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const OTHER_TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "00f067aa0ba902b7";
const SAMPLED = `00-${TRACE}-${SPAN}-01`;
const NOT_SAMPLED = `00-${TRACE}-${SPAN}-00`;

describe("a span", () => {
  it("continues the trace of its parent", async () => {
    const { tracing, spans } = recordSpans();
    const span = tracing.start("one", { kind: "server", parent: SAMPLED, attributes: {} });
    span.end();
    expect(await spans()).toEqual([
      expect.objectContaining({ name: "one", kind: "server", traceId: TRACE, parentSpanId: SPAN }),
    ]);
    expect(span.traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!${SPAN})[0-9a-f]{16}-01$`));
  });

  it.each([undefined, "nonsense"])("starts a trace without a valid parent: %s", async (parent) => {
    const { tracing, spans } = recordSpans();
    tracing.start("one", { kind: "internal", parent, attributes: {} }).end();
    expect(await spans()).toEqual([expect.objectContaining({ parentSpanId: null })]);
  });

  it("is not recorded where its parent is not sampled, and passes the trace on", async () => {
    const { tracing, spans } = recordSpans();
    const span = tracing.start("one", { kind: "server", parent: NOT_SAMPLED, attributes: {} });
    span.end();
    expect([span.isRecorded, span.traceId]).toEqual([false, TRACE]);
    expect(span.traceparent).toMatch(/-00$/);
    expect(await spans()).toEqual([]);
  });

  it("is recorded against its parent where the sampler asks no parent", async () => {
    const { tracing, spans } = recordSpans({ sampler: "always_on", ratio: 1 });
    tracing.start("one", { kind: "server", parent: NOT_SAMPLED, attributes: {} }).end();
    expect(await spans()).toHaveLength(1);
  });

  it("that links to several causes is recorded where one of them is", async () => {
    const { tracing, spans } = recordSpans({ sampler: "parentbased_always_off", ratio: 1 });
    const sampled = `00-${OTHER_TRACE}-${SPAN}-01`;
    const options = { kind: "consumer", attributes: {} } as const;
    tracing.start("none", { ...options, links: [NOT_SAMPLED, NOT_SAMPLED] }).end();
    tracing.start("one", { ...options, links: [NOT_SAMPLED, undefined, sampled] }).end();
    const [only, ...others] = await spans();
    expect(others).toEqual([]);
    expect(only).toMatchObject({ name: "one", linkedTraceIds: [TRACE, OTHER_TRACE] });
    expect([TRACE, OTHER_TRACE]).not.toContain(only?.traceId);
  });

  it("is taken by a ratio of 0 never, and of 1 always", async () => {
    for (const [ratio, expected] of [
      [0, 0],
      [1, 20],
    ] as const) {
      const { tracing, spans } = recordSpans({ sampler: "parentbased_traceidratio", ratio });
      for (let n = 0; n < 20; n += 1) {
        tracing.start("one", { kind: "internal", attributes: {} }).end();
      }
      expect(await spans()).toHaveLength(expected);
    }
  });
});

describe("inSpan", () => {
  const named = { name: "work", kind: "internal", attributes: {} } as const;

  it("runs work within its span, and what the work awaits too", async () => {
    const { tracing, spans } = recordSpans();
    const [before, after] = await inSpan(tracing, named, async () => {
      const first = runningSpan()?.traceparent;
      await Promise.resolve();
      return [first, runningSpan()?.traceparent];
    });
    expect(currentSpan()).toBeNull();
    const [span] = await spans();
    expect([before, after]).toEqual([span?.traceparent, span?.traceparent]);
  });

  it("fails with the code of the work's error, and without its message", async () => {
    const { tracing, spans } = recordSpans();
    const failing = () => Promise.reject(new AppError("not_found", "+4915112345678 is unknown"));
    await expect(inSpan(tracing, named, failing)).rejects.toThrow("+4915112345678");
    const [span] = await spans();
    expect(span).toMatchObject({ failed: true, attributes: { "error.type": "not_found" } });
    expect(JSON.stringify(span)).not.toContain("4915112345678");
  });

  it("just runs work where tracing is off", async () => {
    expect(await inSpan(null, named, () => Promise.resolve(currentSpan()))).toBeNull();
  });
});

describe("runOutsideSpans", () => {
  it("hides the span of whoever came first from what several share", () => {
    const { tracing } = recordSpans();
    const span = tracing.start("one", { kind: "internal", attributes: {} });
    expect(runInSpan(span, () => runOutsideSpans(currentSpan))).toBeNull();
    expect(runInSpan(span, currentSpan)).toBe(span);
  });
});

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
