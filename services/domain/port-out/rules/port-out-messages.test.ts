import { describe, expect, it } from "@jest/globals";
import { decidePortOut, type PortOutCommand } from "./decide-port-out.ts";
import { answerTask, orderOf, portOutContext } from "./port-out-messages.ts";
import type { PortOut, PortOutStatus } from "./port-out.ts";

describe("the order of a port-out's events", () => {
  it.each<[string, readonly (string | null)[], string | null]>([
    ["brought all of its numbers in", ["order a", "order a"], "order a"],
    ["is none where there are several", ["order a", "order b"], null],
    ["is none where a number came without one", ["order a", null], null],
    ["is none where all numbers came without one", [null, null], null],
  ])("%s", (_rule, orders, order) => {
    const numbers = orders.map((porting_order_id, n) => ({
      phone_number: `+1212555010${n}`,
      porting_order_id,
      ported_out_at: null,
    }));
    expect(orderOf({ numbers })).toBe(order);
  });
});

const NOW = new Date("2026-11-02T09:00:00.000Z");
const OCCURRED = new Date("2026-11-02T08:00:00.000Z");

function portOutIn(status: PortOutStatus): PortOut {
  return {
    id: "01a19b7c-a687-7195-84b0-000000000001",
    account_id: "01a19b7c-a687-7195-84b0-000000000002",
    provider: "sandbox",
    port_out_ref: "ref-1",
    status,
    numbers: [{ phone_number: "+12125550101", porting_order_id: null, ported_out_at: null }],
    gaining_carrier: "Other Telecom",
    requested_foc: "2026-11-20T10:00:00+01:00",
    foc_actual: null,
    decision_deadline: null,
    decision: null,
    provider_status: "requested",
    event_sequence: 2,
    unanswered_comment_at: null,
    created_at: NOW,
    updated_at: NOW,
  };
}

const REPORT = { provider_status: "reported", foc_at: null };
const MISMATCH = {
  code: "subscriber_mismatch",
  slug: null,
  text: "not the owner of •••",
};

describe("Event envelope: who moved a port-out, and why it was rejected", () => {
  it.each<[string, readonly [PortOutStatus, PortOutCommand], object]>([
    [
      "the checks, which passed",
      ["requested", { command: "check", fault: null, deadline: NOW }],
      { actor: "system" },
    ],
    [
      "the checks, which failed",
      ["requested", { command: "check", fault: "pin_invalid", deadline: NOW }],
      { actor: "system", rejection: { code: "pin_invalid", slug: null, text: null } },
    ],
    [
      "the customer",
      ["decision_required", { command: "approve", by: "customer" }],
      { actor: "customer" },
    ],
    [
      "an operator",
      [
        "decision_required",
        {
          command: "reject",
          by: "ops",
          code: "subscriber_mismatch",
          reason: "not the owner of +12125550101",
        },
      ],
      { actor: "desk", rejection: MISMATCH },
    ],
    ["the deadline", ["decision_required", { command: "deadline" }], { actor: "system" }],
    [
      "the gaining carrier",
      ["approved", { command: "cancelled", ...REPORT }],
      { actor: "carrier", occurred_at: OCCURRED },
    ],
  ])("%s", (_, [status, command], told) => {
    const decided = decidePortOut(portOutIn(status), command, NOW);
    if (decided === null) throw new Error("refused");
    const contexts = decided.effects.flatMap((effect) =>
      effect.effect === "event"
        ? [portOutContext({ ...decided, occurred_at: OCCURRED }, effect)]
        : [],
    );
    expect(contexts).toEqual([{ provider: "sandbox", ...told }]);
  });
});

describe("the answer to a port-out", () => {
  const codec = { encode: (_: string, message: unknown) => Buffer.from(JSON.stringify(message)) };
  const requestOf = (decision: PortOut["decision"]): unknown => {
    const portOut = { ...portOutIn("rejected"), decision, phone_number: "+12125550101" };
    const { value } = answerTask({ codec, topicPrefix: "" }, portOut, "message");
    return (JSON.parse(String(value)) as { readonly request_id: string }).request_id;
  };

  it("has one request_id however often it is sent, and another where it takes back an approval", () => {
    const approved = { by: "customer", at: NOW, code: null, reason: null } as const;
    expect(requestOf(approved)).toBe(requestOf({ ...approved, code: "subscriber_mismatch" }));
    expect(requestOf(approved)).not.toBe(
      requestOf({ ...approved, by: "system", code: "number_not_active" }),
    );
  });
});
