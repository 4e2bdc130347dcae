import { describe, expect, it } from "@jest/globals";
import { buildCarrierUpdate } from "../../../../test/support/carriers/carrier-update-factory.ts";
import { buildStatusUpdate, orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import { readCarriers } from "../read-carriers.ts";
import { decide } from "../../order/rules/decide.ts";
import { SYSTEM_ACTOR, type Order } from "../../order/rules/order.ts";
import {
  outcomeOf,
  readUpdate,
  statusUpdateOf,
  type OrderResult,
  type ReceiptOutcome,
} from "./read-update.ts";

describe("a carrier's update as order-lifecycle receives it", () => {
  it.each([
    ["2026-12-15T10:00+0100", "2026-12-15T10:00:00+01:00"],
    ["2026-12-15T10:00:00-05:00", "2026-12-15T10:00:00-05:00"],
    [null, null],
  ])("has its port date in the extended form, with its offset: %s", (foc_at, extended) => {
    const update = buildCarrierUpdate({ kind: "date_confirmed", foc_at });
    expect(readUpdate(new Map(), update).foc_at).toBe(extended);
  });

  it("is a comment where its rejection is but a delay, in the carrier's words or the catalogue's", () => {
    const read = (raw_text: string) => {
      const rejection = { raw_code: "carrier_delay", raw_text, slug: null };
      const { kind, comment } = readUpdate(
        new Map(),
        buildCarrierUpdate({ kind: "rejected", rejection }),
      );
      return [kind, comment];
    };
    expect(read("An outage.")).toEqual(["comment", "Carrier is delayed: An outage."]);
    expect(read("")).toEqual(["comment", expect.stringMatching(/^Carrier is delayed: The losing/)]);
  });

  it("has the code of the provider's table, by all of its own or by what is before the slash", () => {
    const { providers } = readCarriers("data/carriers");
    const codeOf = (raw_code: string) => {
      const rejection = { raw_code, raw_text: "", slug: "invoice" };
      const update = { provider: "us-lsr", kind: "rejected", rejection } as const;
      const { code, slug } = readUpdate(providers, buildCarrierUpdate(update));
      return [code, slug];
    };
    expect(["7409/E27", "7409/E30", "7409", "7409/new", "7434/E6h"].map(codeOf)).toEqual([
      ["number_inactive", "invoice"],
      ["phone_number_mismatch", "invoice"],
      ["phone_number_mismatch", "invoice"],
      ["phone_number_mismatch", "invoice"],
      ["main_btn_porting", "invoice"],
    ]);
  });
});

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

const OCCURRED_AT = new Date("2026-11-02T08:00:00.000Z");
const IDS = { comment: "comment-id", reason: "reason-id" };
const result: OrderResult = {
  provider: "sandbox",
  update_id: "update",
  kind: "number_active",
  raw_status: "ACTIVE",
  order_id: "01a1fc57-b585-7195-84b0-011dca65599f",
  request_version: 2,
  code: null,
  text: null,
  slug: null,
  foc_at: null,
  phone_numbers: ["+12125551234"],
  comment: null,
  occurred_at: OCCURRED_AT.getTime(),
};

describe("the status update of a carrier's result", () => {
  it("has the carrier's time, version and numbers", () => {
    expect(statusUpdateOf(result, IDS)).toEqual({
      kind: "number_active",
      raw_status: "ACTIVE",
      request_version: 2,
      occurred_at: OCCURRED_AT,
      foc_at: null,
      phone_numbers: ["+12125551234"],
      code: null,
      text: null,
      slug: null,
      comment: null,
      reason_comment_id: "reason-id",
    });
  });

  it("has the carrier's comment under an id of its own", () => {
    const { comment } = statusUpdateOf({ ...result, comment: "call us" }, IDS);
    expect(comment).toEqual({ id: "comment-id", body: "call us" });
  });

  it("is refused where its kind is not of an order", () => {
    const ofPortOut = { ...result, kind: "port_out_completed" } as const;
    expect(() => statusUpdateOf(ofPortOut, IDS)).toThrow(
      expect.objectContaining({ code: "rule_broken" }),
    );
  });
});
