import { describe, expect, it } from "@jest/globals";
import { recordSpans } from "../../../test/support/tracing/recorded-spans.ts";
import type { OutgoingMessage } from "../outbox/outbox.ts";
import { traceSends } from "./trace-sends.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

function messageOf(messageId: string, headers: Record<string, string>): OutgoingMessage {
  const key = Buffer.from("+491511234567");
  return { messageId, topic: "things", key, value: Buffer.from("Ada"), headers };
}

const SAMPLED = messageOf("m1", { traceparent: `00-${TRACE}-${SPAN}-01`, provider: "Ada" });
const NOT_SAMPLED = messageOf("m2", { traceparent: `00-${TRACE}-${SPAN}-00` });
const UNTRACED = messageOf("m3", {});

describe("the spans of sent messages", () => {
  it("continue sampled traces, and whoever handles the message continues from its send", async () => {
    const { tracing, spans } = recordSpans();
    const traced = traceSends(tracing, [SAMPLED, NOT_SAMPLED, UNTRACED]);
    traced.sent([1, 2, 3].map((offset) => ({ partition: 5, offset })));
    const recorded = await spans();
    const [span] = recorded;
    expect(recorded).toEqual([
      {
        name: "send things",
        kind: "producer",
        traceId: TRACE,
        parentSpanId: SPAN,
        linkedTraceIds: [],
        traceparent: span?.traceparent,
        attributes: {
          "messaging.system": "kafka",
          "messaging.operation.name": "send",
          "messaging.operation.type": "send",
          "messaging.destination.name": "things",
          "messaging.destination.partition.id": "5",
          "messaging.kafka.offset": 1,
          "messaging.message.id": "m1",
        },
        failed: false,
      },
    ]);
    const headers = { traceparent: span?.traceparent, provider: "Ada" };
    expect(traced.messages).toEqual([{ ...SAMPLED, headers }, NOT_SAMPLED, UNTRACED]);
    expect(JSON.stringify(recorded)).not.toMatch(/1511234567|Ada/);
  });

  it("are those of the send that succeeded alone", async () => {
    const { tracing, spans } = recordSpans();
    traceSends(tracing, [SAMPLED]);
    const again = traceSends(tracing, [SAMPLED]);
    again.sent([{ partition: 5, offset: 1 }]);
    const sent = again.messages[0]?.headers?.["traceparent"];
    expect((await spans()).map(({ traceparent }) => traceparent)).toEqual([sent]);
  });
});
