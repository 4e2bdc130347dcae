import { describe, expect, it } from "@jest/globals";
import { recordSpans } from "../../../test/support/tracing/recorded-spans.ts";
import { currentSpan, runInSpan, runOutsideSpans, runningSpan } from "./current-span.ts";
import { inSpan } from "./in-span.ts";
import { AppError } from "../errors.ts";

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
