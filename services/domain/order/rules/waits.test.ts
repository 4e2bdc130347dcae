import { describe, expect, it } from "@jest/globals";
import {
  buildRequirement,
  buildStatusUpdate,
  orderIn,
  T0,
} from "../../../../test/support/orders/order-factory.ts";
import { decide, type OrderCommand } from "./decide.ts";
import type { WaitKind } from "../../deadline/deadline.ts";
import { SYSTEM_ACTOR, type Actor, type Order } from "./order.ts";
import type { StatusUpdateKind } from "./status-update.ts";

const NOW = new Date(T0.getTime() + 86_400_000);
const ID = "01a1fc57-b585-7195-84b0-000000000009";
const CUSTOMER: Actor = { type: "customer", id: ID, name: null };
const DESK: Actor = { type: "desk", id: ID, name: "Ada Lovelace" };
const CARRIER: Actor = { type: "carrier", id: "manual", name: null };

const loa = buildRequirement({ slug: "loa", field_type: "document", document_id: ID });
const optional = buildRequirement({ slug: "port_type", mandatory: false });
const requirements = [buildRequirement(), loa, optional];
const commentBy = (author_type: "customer" | "ops"): OrderCommand => ({
  command: "comment",
  comment: { id: ID, body: "Tomorrow.", author_type, author_id: ID },
});
const uploaded: OrderCommand = {
  command: "requirement_changed",
  slug: "loa",
  content: { kind: "document", document_id: ID, document_date: T0, check: "checking" },
};
const checked: OrderCommand = {
  command: "document_checked",
  slug: "loa",
  document_id: ID,
  passed: false,
  code: "document_encrypted",
  detail: "It is encrypted.",
};
const signed: OrderCommand = {
  command: "loa_signed",
  document_id: ID,
  sha256: "",
  signer_name: "Ada Lovelace",
  signed_at: NOW,
};

/** What the command changes about the waits: the new start, or null where one ends. */
function waitsAfter(order: Order, command: OrderCommand, actor: Actor): [WaitKind, Date | null][] {
  const decision = decide(order, command, { actor, now: NOW });
  if (!decision.allowed) throw new Error(decision.refusal.detail);
  return decision.effects.flatMap((effect): [WaitKind, Date | null][] =>
    effect.effect === "wait" ? [[effect.kind, effect.since]] : [],
  );
}

function expiriesAfter(order: Order, command: OrderCommand, actor: Actor): unknown[] {
  return waitsAfter(order, command, actor).filter(([kind]) => kind.endsWith("_expiry"));
}

describe.each(["draft", "rejection"] as const)(
  "the expiry of a %s (docs/contract/customer-api.md, Transitions)",
  (status) => {
    const order = orderIn(status, { requirements });
    const kind = `${status}_expiry`;

    it.each<[string, OrderCommand]>([
      ["a PATCH", { command: "patch", patch: { customer_reference: "b" } }],
      [
        "a value",
        {
          command: "requirement_changed",
          slug: "entity_name",
          content: { kind: "text", shown: "B" },
        },
      ],
      [
        "an emptied value",
        { command: "requirement_changed", slug: "port_type", content: { kind: "empty" } },
      ],
      ["an upload", uploaded],
      ["a signature", signed],
      ["a comment", commentBy("customer")],
    ])("is put off by %s of the customer", (_what, command) => {
      expect(expiriesAfter(order, command, CUSTOMER)).toEqual([[kind, NOW]]);
    });

    it.each<[string, OrderCommand, Actor]>([
      ["a comment of the desk", commentBy("ops"), DESK],
      ["the check of a document", checked, SYSTEM_ACTOR],
      [
        "a carrier's comment",
        { command: "status_update", update: buildStatusUpdate({ kind: "comment" }) },
        CARRIER,
      ],
    ])("is not put off by %s", (_what, command, actor) => {
      const waiting = {
        ...order,
        requirements: [buildRequirement(), { ...loa, check_state: "checking" as const }],
      };
      expect(expiriesAfter(waiting, command, actor)).toEqual([]);
    });

    it("is over once the order is submitted", () => {
      expect(expiriesAfter(order, { command: "submit" }, CUSTOMER)).toEqual([[kind, null]]);
    });
  },
);

describe("the silence of a carrier (docs/contract/messages.md, What the services say to each other)", () => {
  const word = (kind: StatusUpdateKind | null, request_version = 1): OrderCommand => ({
    command: "status_update",
    update: buildStatusUpdate({ kind, request_version, foc_at: "2026-11-20T10:00:00-05:00" }),
  });
  const silenceAfter = (order: Order, command: OrderCommand): unknown[] =>
    waitsAfter(order, command, CARRIER).filter(([kind]) => kind === "carrier_silence");

  it.each(["acknowledged", "date_confirmed", "number_failed", "comment", null] as const)(
    "on a cancellation is measured again from %s, which does not answer it",
    (kind) => {
      const order = orderIn("cancel_pending");
      expect(silenceAfter(order, word(kind))).toEqual([["carrier_silence", NOW]]);
    },
  );

  it.each(["cancel_confirmed", "cancel_refused", "activating"] as const)(
    "on a cancellation is over at %s",
    (kind) => {
      const order = orderIn("cancel_pending");
      expect(silenceAfter(order, word(kind))).toEqual([["carrier_silence", null]]);
    },
  );

  it("on a submission is over at any update on it, and continues at one on an earlier version", () => {
    const order = orderIn("submitted", { request_version: 2 });
    expect(silenceAfter(order, word("comment", 2))).toEqual([["carrier_silence", null]]);
    expect(silenceAfter(order, word("acknowledged", 1))).toEqual([]);
  });
});
