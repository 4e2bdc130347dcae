import { describe, expect, it } from "@jest/globals";
import { nextStep, endAttemptSpan, startAttemptSpan } from "./attempt.ts";
import { recordSpans } from "../../../test/support/tracing/recorded-spans.ts";
import { claimOf } from "../../../test/support/webhooks/attempt-once.ts";
import { NoSlot } from "../../platform/fair-slots.ts";
import { Unsent, type Answer } from "./exchange.ts";

const endedAt = new Date("2026-03-01T12:00:00.000Z");
const delaysMs = [60_000, 300_000];

describe("the next step after a failed attempt", () => {
  it("uses each delay of the schedule in order, counted from the attempt's end", () => {
    expect(nextStep({ attemptCount: 1, single: false, endedAt }, delaysMs)).toEqual({
      trigger: "attempt_failed",
      dueAt: new Date("2026-03-01T12:01:00.000Z"),
      step: 0,
    });
    expect(nextStep({ attemptCount: 2, single: false, endedAt }, delaysMs)).toEqual({
      trigger: "attempt_failed",
      dueAt: new Date("2026-03-01T12:05:00.000Z"),
      step: 1,
    });
  });

  it("is failure after the last delay, and at once with an empty schedule", () => {
    const failed = { trigger: "last_attempt_failed" };
    expect(nextStep({ attemptCount: 3, single: false, endedAt }, delaysMs)).toEqual(failed);
    expect(nextStep({ attemptCount: 1, single: false, endedAt }, [])).toEqual(failed);
  });

  it("is failure for an attempt that was requested manually", () => {
    const failed = { trigger: "last_attempt_failed" };
    expect(nextStep({ attemptCount: 1, single: true, endedAt }, delaysMs)).toEqual(failed);
  });
});

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const URL_WITH_SECRET = "https://ada:hunter2@example.com/hook?token=hunter2";
const DELIVERY = {
  ...claimOf(URL_WITH_SECRET),
  traceparent: `00-${TRACE}-${SPAN}-01`,
  attempt_count: 3,
};
const ATTRIBUTES = {
  "http.request.method": "POST",
  "webhook.attempt": 3,
  "webhook.delivery_id": DELIVERY.id,
  "webhook.endpoint_key": DELIVERY.endpoint_key,
  "webhook.event_type": DELIVERY.event_type,
};
const BODY = Buffer.from("hunter2");
const noSlot = new Unsent(new NoSlot());

const answered = (status: number): Answer => ({ status, failure: null, body: BODY });

describe("the span of a webhook's attempt", () => {
  it.each<[string, Answer | Unsent | null, Record<string, unknown>]>([
    ["a success", answered(204), { "http.response.status_code": 204 }],
    ["a refusal", answered(410), { "http.response.status_code": 410, "error.type": "410" }],
    ["a redirect", answered(301), { "http.response.status_code": 301, "error.type": "301" }],
    [
      "no response",
      { status: null, failure: "timeout_connect", body: BODY },
      { "error.type": "timeout_connect" },
    ],
    ["nothing sent", noSlot, { "error.type": "unsent" }],
    ["a stop", null, { "error.type": "cancelled" }],
  ])("is part of the change's trace and shows no URL: %s", async (_, answer, outcome) => {
    const { tracing, spans } = recordSpans();
    endAttemptSpan(startAttemptSpan(tracing, DELIVERY), answer);
    const recorded = await spans();
    expect(recorded).toEqual([
      expect.objectContaining({
        name: "POST",
        kind: "client",
        traceId: TRACE,
        parentSpanId: SPAN,
        attributes: { ...ATTRIBUTES, ...outcome },
        failed: "error.type" in outcome,
      }),
    ]);
    expect(JSON.stringify(recorded)).not.toMatch(/example\.com|hunter2/);
  });

  it("is not made where the trace of the event is not sampled, or tracing is off", async () => {
    const { tracing, spans } = recordSpans();
    expect(startAttemptSpan(tracing, { ...DELIVERY, traceparent: null })).toBeNull();
    expect(startAttemptSpan(null, DELIVERY)).toBeNull();
    endAttemptSpan(null, answered(200));
    expect(await spans()).toEqual([]);
  });
});
