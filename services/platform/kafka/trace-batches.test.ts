import { describe, expect, it } from "@jest/globals";
import { recordSpans } from "../../../test/support/tracing/recorded-spans.ts";
import { AppError } from "../errors.ts";
import { nextTraceparent } from "../traceparent.ts";
import { runningSpan } from "../tracing/tracing.ts";
import { BatchInterrupted } from "./handle-batch.ts";
import type { RawMessage } from "./raw-message.ts";
import { traceBatches } from "./trace-batches.ts";

const ONE = "4bf92f3577b34da6a3ce929d0e0e4736";
const TWO = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "00f067aa0ba902b7";
const MESSAGE_ID = "01890a5d-ac96-774b-bcce-b302099a8057";

function messageOf(offset: number, traceId: string, flags = "01"): { readonly raw: RawMessage } {
  return {
    raw: {
      topic: "things",
      partition: 3,
      offset,
      key: Buffer.from("+491511234567"),
      value: Buffer.from("Ada"),
      headers: { traceparent: `00-${traceId}-${SPAN}-${flags}`, provider: "Ada" },
      headerCount: 2,
      messageId: MESSAGE_ID,
      timestamp: 0,
    },
  };
}

const COMMON = {
  "messaging.system": "kafka",
  "messaging.operation.name": "process",
  "messaging.operation.type": "process",
  "messaging.consumer.group.name": "readers",
  "messaging.destination.name": "things",
  "messaging.destination.partition.id": "3",
  "messaging.kafka.offset": 7,
};

describe("the span of handled messages", () => {
  it("is part of the trace of a message that is handled alone, as are its consequences", async () => {
    const { tracing, spans } = recordSpans();
    let next = "";
    const handle = () => {
      next = nextTraceparent(`00-${ONE}-${SPAN}-01`);
      return Promise.resolve(null);
    };
    expect(await traceBatches(tracing, "readers")([messageOf(7, ONE)], handle)).toBeNull();
    const recorded = await spans();
    expect(recorded).toEqual([
      {
        name: "process things",
        kind: "consumer",
        traceId: ONE,
        parentSpanId: SPAN,
        linkedTraceIds: [],
        traceparent: next,
        attributes: { ...COMMON, "messaging.message.id": MESSAGE_ID },
        failed: false,
      },
    ]);
    expect(JSON.stringify(recorded)).not.toMatch(/1511234567|Ada/);
  });

  it("links to the traces of several, and has none of them for a parent", async () => {
    const { tracing, spans } = recordSpans();
    const messages = [messageOf(7, ONE), messageOf(8, TWO)];
    let next = "";
    await traceBatches(tracing, "readers")(messages, () => {
      next = nextTraceparent(messages[1]?.raw.headers["traceparent"]);
      return Promise.resolve(null);
    });
    const [span, ...others] = await spans();
    expect(others).toEqual([]);
    expect(span).toMatchObject({ parentSpanId: null, linkedTraceIds: [ONE, TWO] });
    expect([ONE, TWO]).not.toContain(span?.traceId);
    expect(span?.attributes).toEqual({ ...COMMON, "messaging.batch.message_count": 2 });
    expect(next).toBe(`00-${TWO}-${SPAN}-01`);
  });

  it("is not recorded where none of the traces is sampled, but runs", async () => {
    const { tracing, spans } = recordSpans();
    const batches = [[messageOf(7, ONE, "00")], [messageOf(7, ONE, "00"), messageOf(8, TWO, "00")]];
    for (const batch of batches) {
      const handle = () => Promise.resolve(runningSpan() === null ? "no span" : null);
      expect(await traceBatches(tracing, "readers")(batch, handle)).toBeNull();
    }
    expect(await spans()).toEqual([]);
  });

  it.each([
    [new AppError("unknown_order", "There is no order of Ada."), "unknown_order"],
    [new TypeError("Ada is undefined"), "TypeError"],
  ])("fails with the class of a failure that the caller judges: %s", async (failure, type) => {
    const { tracing, spans } = recordSpans();
    const handle = () => Promise.resolve(failure);
    expect(await traceBatches(tracing, "readers")([messageOf(7, ONE)], handle)).toBe(failure);
    const recorded = await spans();
    expect(recorded).toMatchObject([{ failed: true, attributes: { "error.type": type } }]);
    expect(JSON.stringify(recorded)).not.toContain("Ada");
  });

  it("ends where the partition is lost", async () => {
    const { tracing, spans } = recordSpans();
    const handle = () => Promise.reject(new BatchInterrupted());
    const handled = traceBatches(tracing, "readers")([messageOf(7, ONE)], handle);
    await expect(handled).rejects.toBeInstanceOf(BatchInterrupted);
    expect(await spans()).toHaveLength(1);
  });
});
