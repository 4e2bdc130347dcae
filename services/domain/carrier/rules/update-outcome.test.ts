import { describe, expect, it } from "@jest/globals";
import { buildStatusUpdate, orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import { decide } from "../../order/rules/decide.ts";
import { SYSTEM_ACTOR, type Order } from "../../order/rules/order.ts";
import type { ReceiptOutcome } from "./receipt.ts";
import { outcomeOf } from "./update-outcome.ts";

type Fields = Parameters<typeof buildStatusUpdate>[0];

function receiptFor(order: Order, fields: Fields): ReceiptOutcome {
  const update = buildStatusUpdate(fields);
  const command = { command: "status_update", update } as const;
  const decision = decide(order, command, { actor: SYSTEM_ACTOR, now: T0 });
  if (!decision.allowed) throw new Error(decision.refusal.detail);
  return outcomeOf({ order, update, effects: decision.effects });
}

function outcomeFor(order: Order, fields: Fields): unknown {
  const outcome = receiptFor(order, fields);
  return outcome.outcome === "applied" ? "applied" : [outcome.outcome, outcome.code];
}

const comment = { id: "01a1fc57-b585-7195-84b0-000000000009", body: "call us" };
const second = orderIn("submitted", { request_version: 2 });

describe("the outcome of a status update", () => {
  it.each<[string, [Order, Fields], unknown]>([
    ["moves the order", [orderIn("submitted"), { kind: "acknowledged" }], "applied"],
    ["is late", [orderIn("foc_scheduled"), { kind: "acknowledged" }], ["ignored", "no_effect"]],
    [
      "comes after the end",
      [orderIn("completed"), { kind: "refused" }],
      ["ignored", "order_closed"],
    ],
    [
      "is about an older version",
      [second, { kind: "acknowledged", request_version: 1 }],
      ["ignored", "outdated_version"],
    ],
    [
      "has a status that no table knows",
      [orderIn("submitted"), { kind: null, raw_status: "?" }],
      ["ignored", "unknown_status"],
    ],
    ["is a comment", [orderIn("completed"), { kind: "comment", comment }], "applied"],
    [
      "is a comment without text",
      [orderIn("submitted"), { kind: "comment", comment: null }],
      ["ignored", "no_effect"],
    ],
  ])("that %s", (_, [order, fields], outcome) => {
    expect(outcomeFor(order, fields)).toEqual(outcome);
  });

  it.each([
    ["active", "number_active", "The number is active already."],
    ["active", "number_failed", "The number is active already."],
    ["failed", "number_failed", "The number has failed already."],
  ] as const)("says that a number is %s already, for %s", (status, kind, detail) => {
    const order = orderIn("activating");
    const [number] = order.numbers;
    if (number === undefined) throw new TypeError("The order has no number.");
    const known = { ...number, phone_number: "+12125559999", status };
    const phone_numbers = [known.phone_number];
    const outcome = receiptFor(
      { ...order, numbers: [...order.numbers, known] },
      { kind, phone_numbers },
    );
    expect(outcome).toMatchObject({ outcome: "ignored", code: "no_effect", detail });
  });
});
