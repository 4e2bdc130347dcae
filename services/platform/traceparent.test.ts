import { describe, expect, it } from "@jest/globals";
import { runInSpan, type EnclosingSpan } from "./tracing/tracing.ts";
import { isSampled, nextTraceparent, sampledTraceparent } from "./traceparent.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const OTHER_TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "00f067aa0ba902b7";
const OWN_SPAN = "b7ad6b7169203331";
const CAUSE = `00-${TRACE}-${SPAN}-01`;

const spanOf = (traceId: string, flags: string, hasEnded = false): EnclosingSpan => ({
  traceId,
  traceparent: `00-${traceId}-${OWN_SPAN}-${flags}`,
  hasEnded,
});

describe("nextTraceparent", () => {
  it.each([CAUSE, `cc-${TRACE}-${SPAN}-01-what-comes-later`])(
    "passes its cause on where no span of ours is between: %s",
    (cause) => {
      expect(nextTraceparent(cause)).toBe(CAUSE);
    },
  );

  it.each([
    undefined,
    "",
    `ff-${TRACE}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
  ])("starts a trace without a valid cause: %s", (cause) => {
    expect(nextTraceparent(cause)).toMatch(/^00-(?!4bf9)[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });

  it("names the span that handles the cause, even after its end", () => {
    for (const hasEnded of [false, true]) {
      const span = spanOf(TRACE, "01", hasEnded);
      expect(runInSpan(span, () => nextTraceparent(CAUSE))).toBe(span.traceparent);
    }
  });

  it("stays in the trace of its cause within the span of a batch, which has a trace of its own", () => {
    expect(runInSpan(spanOf(OTHER_TRACE, "01"), () => nextTraceparent(CAUSE))).toBe(CAUSE);
  });

  it("without a cause names the running span", () => {
    const span = spanOf(TRACE, "00");
    expect(runInSpan(span, () => nextTraceparent())).toBe(span.traceparent);
  });

  it("without a cause is not part of a span that has ended", () => {
    const next = runInSpan(spanOf(TRACE, "01", true), () => nextTraceparent());
    expect(next).toMatch(/^00-(?!4bf9)[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
});

describe("isSampled", () => {
  it.each([
    ["00", false],
    ["01", true],
    ["02", false],
    ["03", true],
  ])("reads the lowest bit of the flags: %s", (flags, sampled) => {
    expect(isSampled({ flags })).toBe(sampled);
  });
});

describe("sampledTraceparent", () => {
  it("is that of a running span which is sampled", () => {
    const sampled = spanOf(TRACE, "01");
    expect(runInSpan(sampled, sampledTraceparent)).toBe(sampled.traceparent);
    expect(runInSpan(spanOf(TRACE, "00"), sampledTraceparent)).toBeNull();
    expect(sampledTraceparent()).toBeNull();
  });
});
