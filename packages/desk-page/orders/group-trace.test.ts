import { describe, expect, it } from "@jest/globals";
import { groupTrace, waterfallOf } from "./group-trace.ts";
import type { TraceEntry } from "./orders.ts";

let next = 0;

function entry(step: TraceEntry["step"], at: string, given: Partial<TraceEntry> = {}): TraceEntry {
  next += 1;
  return {
    id: `${next}`,
    at: `2026-03-02T14:00:${at}Z`,
    step,
    name: step,
    actor: null,
    request_id: null,
    message_id: null,
    trace_id: null,
    event_id: null,
    delivery_id: null,
    topic: null,
    partition: null,
    offset: null,
    consumer: null,
    state: null,
    value: null,
    ...given,
  };
}

describe("the trace of an order", () => {
  it("is one line per change, in its own sequence, the latest change first", () => {
    const message = { message_id: "e1", trace_id: "t1" };
    const groups = groupTrace([
      entry("request", "30.000", { name: "order.commented" }),
      entry("attempt", "02.000", { delivery_id: "d1", event_id: "e1", state: "succeeded" }),
      entry("delivery", "01.500", { delivery_id: "d1", event_id: "e1" }),
      entry("event", "01.200", { event_id: "e1" }),
      entry("topic", "01.100", message),
      entry("outbox", "01.000", message),
      entry("change", "00.990", {
        name: "status",
        value: { previous_status: "draft", new_status: "in_review" },
      }),
      entry("request", "00.990", { name: "order.submitted", request_id: "r1" }),
    ]);
    expect(groups.map(({ title }) => title)).toStrictEqual([
      "order.commented",
      "order.submitted · Draft → In review",
    ]);
    expect(groups[1]?.entries.map(({ step }) => step)).toStrictEqual([
      "request",
      "change",
      "outbox",
      "topic",
      "event",
      "delivery",
      "attempt",
    ]);
    expect(groups[1]?.open).toEqual([]);
  });

  it("stays open where a message waits, or a delivery failed", () => {
    const [waiting] = groupTrace([entry("outbox", "01.000", { state: "waiting" })]);
    expect(waiting?.open).toHaveLength(1);
    const [failed] = groupTrace([entry("delivery", "01.000", { state: "failed" })]);
    expect(failed?.open).toHaveLength(1);
    const retried = { delivery_id: "d1" };
    const [delivered] = groupTrace([
      entry("delivery", "01.000", { ...retried, state: "delivered" }),
      entry("attempt", "02.000", { ...retried, state: "failed" }),
      entry("attempt", "03.000", { ...retried, state: "succeeded" }),
    ]);
    expect(delivered?.open).toEqual([]);
  });

  it("shows how long each step took since the one that led to it", () => {
    const [group] = groupTrace([
      entry("outbox", "00.000", { message_id: "e1" }),
      entry("topic", "01.000", { message_id: "e1" }),
      entry("handler", "02.000", { message_id: "e1", name: "event-log" }),
      entry("delivery", "02.500", { event_id: "e1", delivery_id: "d1" }),
      entry("delivery", "03.000", { event_id: "e1", delivery_id: "d2" }),
      entry("attempt", "04.000", { event_id: "e1", delivery_id: "d1", state: "succeeded" }),
    ]);
    const spans = group === undefined ? [] : waterfallOf(group);
    expect(spans.map(({ from, to }) => [from, to])).toEqual([
      [0, 0],
      [0, 0.25],
      [0.25, 0.5],
      [0.5, 0.625],
      [0.625, 0.75],
      [0.75, 1],
    ]);
    expect(spans.at(-1)?.ms).toBe(1_000);
  });
});
