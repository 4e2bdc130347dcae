import { describe, expect, it } from "@jest/globals";
import {
  COMMANDS,
  context,
  eventsOf,
  movesOf,
  run,
  statusUpdate,
} from "../../../../test/support/orders/order-commands.ts";
import {
  buildOrder,
  buildRequirement,
  buildStatusUpdate,
  orderIn,
  T0,
} from "../../../../test/support/orders/order-factory.ts";
import { takesRequest, type Provider } from "../../carrier/rules/provider.ts";
import type { WaitKind } from "../../deadline/deadline.ts";
import { decide, type OrderCommand } from "./decide.ts";
import { ORDER_STATUSES, SYSTEM_ACTOR, type Actor, type Order } from "./order.ts";
import type { StatusUpdateKind } from "./status-update.ts";

describe("a changed order", () => {
  const patch = {
    customer_reference: "new",
    foc_requested: null,
    webhook_url: "https://b.example/secret",
  };

  it("records in its timeline what fires no event, of a URL the host alone", () => {
    const order = orderIn("draft", {
      ...{ customer_reference: "old", foc_requested: "2026-12-01T10:00:00+01:00" },
      webhook_url: "https://a.example:8443/token",
    });
    expect(run(order, { command: "patch", patch }).effects).toEqual([
      {
        effect: "timeline",
        kind: "order",
        data: {
          customer_reference: { from: "old", to: "new" },
          foc_requested: { from: "2026-12-01T10:00:00+01:00", to: null },
          webhook_url: { from: "a.example:8443", to: "b.example" },
        },
      },
    ]);
  });

  it("records nothing where all stays as it was, and removed numbers by themselves", () => {
    const { numbers } = orderIn("draft");
    const both = numbers.flatMap((one) => [one, { ...one, phone_number: "+12125551299" }]);
    const order = orderIn("draft", { ...patch, numbers: both });
    expect(run(order, { command: "patch", patch }).effects).toEqual([]);
    const removed = [order.numbers[0]?.phone_number ?? ""];
    const without = run(order, { command: "patch", patch: { remove_phone_numbers: removed } });
    expect(without.effects).toEqual([{ effect: "timeline", kind: "number", data: { removed } }]);
  });
});

describe("several commands at once", () => {
  const fields = [buildRequirement({ has_value: false }), buildRequirement({ slug: "loa" })];
  const order = buildOrder({ requirements: fields, customer_reference: "old" });
  const text = { kind: "text", shown: "Acme" } as const;
  const patch = { command: "patch", patch: { customer_reference: "new" } } as const;
  const change = { command: "requirement_changed", slug: "entity_name", content: text } as const;

  it("change an order as one after the other would, with the effects of all", () => {
    const commands = [patch, change, { command: "submit" } as const];
    const together = run(order, { command: "several", commands });
    const apart = commands.reduce((before, command) => run(before, command).order, order);
    expect(together.order).toEqual(apart);
    const kinds = together.effects.flatMap((one) => (one.effect === "timeline" ? [one.kind] : []));
    expect(kinds).toEqual(["order", "requirement", "status"]);
  });

  it("change nothing where one of them is refused", () => {
    const unknown = { ...change, slug: "pac_code" };
    const commands = [patch, change, unknown];
    const decision = decide(order, { command: "several", commands }, context);
    expect(decision).toMatchObject({ allowed: false, refusal: { code: "invalid_state" } });
  });
});

describe("cancellation", () => {
  const cancel = (by: "customer" | "ops"): OrderCommand => ({
    command: "cancel",
    by,
    reason: null,
    cutoffMs: 48 * 3_600_000,
  });

  it("withdraws the open case and asks the carrier that has the order", () => {
    const decision = run(orderIn("in_review", { request_version: 1 }), cancel("customer"));
    expect(decision.order.status).toBe("cancel_pending");
    expect(decision.effects).toContainEqual(
      expect.objectContaining({ effect: "review_request", kind: "withdraw_case" }),
    );
    expect(decision.effects.at(-1)).toEqual({ effect: "carrier_task", kind: "cancel" });
  });

  it("is too late for a customer close to the date, never for ops", () => {
    const near = orderIn("foc_scheduled", { foc_actual: "2026-11-03T10:00:00-05:00" });
    const decision = decide(near, cancel("customer"), context);
    expect(!decision.allowed && decision.refusal.code).toBe("cancel_too_late");
    expect(run(near, cancel("ops")).order.status).toBe("cancel_pending");
  });

  it("is closed by whoever requested it, or by the provider if nobody did", () => {
    const asked = run(orderIn("submitted"), cancel("ops")).order;
    expect(run(asked, COMMANDS.carrier_refused).order.closed_by).toBe("ops");
    expect(run(orderIn("submitted"), COMMANDS.carrier_refused).order.closed_by).toBe("provider");
    expect(run(asked, cancel("ops")).order.closed_by).toBe("ops");
  });

  it("once refused, continues from the steps noted in the meantime", () => {
    const pending = run(orderIn("submitted"), cancel("customer")).order;
    const dated = run(pending, COMMANDS.carrier_date);
    expect(eventsOf(dated)).toEqual([]);
    const back = run(dated.order, COMMANDS.cancel_refused).order;
    expect([back.status, back.foc_actual]).toEqual(["foc_scheduled", "2026-11-20T10:00:00-05:00"]);
  });

  it("once refused under review, opens a new case", () => {
    const order = orderIn("in_review", { request_version: 1, review_attempt: 2 });
    const back = run(run(order, cancel("customer")).order, COMMANDS.cancel_refused);
    expect(back.order.status).toBe("in_review");
    expect(back.effects.at(-1)).toEqual({
      effect: "review_request",
      kind: "open_case",
      attempt: 3,
    });
  });

  it("again asks for no other letter because the old one grew old", () => {
    const letter = {
      slug: "loa",
      field_type: "document",
      document_date: new Date(T0.getTime() - 90 * 86_400_000),
      max_age_days: 30,
    } as const;
    const approved = buildRequirement({ ...letter, status: "approved" });
    const corrected = buildRequirement({ slug: "account_number" });
    const requirements = [approved, corrected];
    const decision = run(orderIn("rejection", { requirements }), { command: "submit" });
    expect(decision.order.requirements[0]).toEqual(approved);
    const first = decide(orderIn("draft", { requirements }), { command: "submit" }, context);
    expect(first).toMatchObject({
      allowed: false,
      refusal: { code: "not_ready", blocking: [{ slug: "loa", code: "document_too_old" }] },
    });
  });
});

describe("the desk's rejection", () => {
  it("takes an approved field back as it takes one under review", () => {
    const loa = buildRequirement({ slug: "loa", status: "approved" });
    const order = orderIn("in_review", { requirements: [loa], review_attempt: 2 });
    const reason = "The account holder has changed.";
    const verdict = { slug: "loa", decision: "reject", code: null, reason } as const;
    const review = { attempt: 2, decisions: [verdict], confirm: false };
    const decision = run(order, { command: "review", ...review });
    expect(decision.order).toMatchObject({
      status: "rejection",
      requirements_status: false,
      requirements: [{ status: "requirement-info-exception", exception_reason: reason }],
      exceptions: [{ slug: "loa", detail: reason, raised_by: "desk" }],
    });
    expect(eventsOf(decision)).toHaveLength(2);
  });
});

describe("several numbers", () => {
  const numbers = ["+12125551234", "+12125551235"].map((phone_number) => ({
    phone_number,
    status: "activating" as const,
    failure_code: null,
    activated_at: null,
  }));
  const order = orderIn("activating", { numbers });
  const active = (number: string) =>
    statusUpdate({ kind: "number_active", phone_numbers: [number] });
  const failed = (number: string) =>
    statusUpdate({ kind: "number_failed", phone_numbers: [number], code: "sv_failure" });

  it("some active and the others failed: completed_partial, with events for the active ones", () => {
    const half = run(order, failed("+12125551234")).order;
    const decision = run(half, active("+12125551235"));
    expect(decision.order.status).toBe("completed_partial");
    expect(eventsOf(decision)).toEqual(["porting_order.status_changed", "number.activated"]);
  });

  it("all failed: back with the customer, pending again, an exception per code", () => {
    const decision = run(run(order, failed("+12125551234")).order, failed("+12125551235"));
    expect(decision.order.status).toBe("rejection");
    expect(decision.order.numbers.map((number) => number.status)).toEqual(["pending", "pending"]);
    expect(decision.order.exceptions.map((one) => one.code)).toEqual(["sv_failure"]);
    expect(decision.order.foc_actual).toBeNull();
  });

  it("a failed number that becomes active before the end counts as active", () => {
    const half = run(order, failed("+12125551234")).order;
    const mended = run(half, active("+12125551234")).order;
    expect(run(mended, active("+12125551235")).order.status).toBe("completed");
  });

  it("an end after one became active ends the others", () => {
    const half = run(order, active("+12125551234")).order;
    const cancelled = run(half, COMMANDS.cancel_confirmed).order;
    expect(cancelled.status).toBe("completed_partial");
    expect(cancelled.numbers.map((number) => number.status)).toEqual(["active", "cancelled"]);
    const rejected = run(half, COMMANDS.carrier_rejected).order;
    expect(rejected.numbers.map((number) => number.status)).toEqual(["active", "failed"]);
  });
});

describe("an active number after the end", () => {
  it("alerts the desk and changes no status", () => {
    const decision = run(orderIn("cancelled"), COMMANDS.number_active);
    expect(decision.order.status).toBe("cancelled");
    expect(decision.order.attention).not.toBeNull();
    expect(eventsOf(decision)).toEqual([]);
  });
});

describe("submit", () => {
  it("opens a case of the next attempt", () => {
    const decision = run(orderIn("rejection", { review_attempt: 2 }), { command: "submit" });
    expect(decision.order.review_attempt).toBe(3);
    expect(decision.effects).toContainEqual({
      effect: "review_request",
      kind: "open_case",
      attempt: 3,
    });
  });
});

describe("the desk's confirmation", () => {
  it("is refused for any attempt but the latest", () => {
    const decision = decide(
      orderIn("in_review", { review_attempt: 2 }),
      COMMANDS.desk_confirm,
      context,
    );
    expect(decision.allowed).toBe(false);
  });

  it("sends the first version as submit and every later one as supplement", () => {
    const kinds = [0, 1].map((version) =>
      run(orderIn("in_review", { request_version: version }), COMMANDS.desk_confirm),
    );
    expect(kinds.map((decision) => decision.order.request_version)).toEqual([1, 2]);
    expect(kinds.map((decision) => decision.effects.at(-1))).toEqual([
      { effect: "carrier_task", kind: "submit" },
      { effect: "carrier_task", kind: "supplement" },
    ]);
  });
});

describe("deletion", () => {
  it("of a draft publishes an event and keeps its status", () => {
    const decision = run(buildOrder(), { command: "delete", by: "customer" });
    expect(eventsOf(decision)).toEqual(["porting_order.deleted"]);
    expect(decision.order.deleted_at).toEqual(context.now);
  });

  it.each(ORDER_STATUSES.filter((status) => status !== "draft"))("is refused in %s", (status) => {
    const decision = decide(orderIn(status), { command: "delete", by: "customer" }, context);
    expect(decision.allowed).toBe(false);
  });

  it.each([
    ["submitted", true],
    ["cancelled", false],
  ] as const)("of an order in %s says whether it can be cancelled: %s", (status, can) => {
    const decision = decide(orderIn(status), { command: "delete", by: "customer" }, context);
    const detail = decision.allowed ? "" : decision.refusal.detail;
    expect(detail.includes("so cancel it")).toBe(can);
  });
});

describe("a status update", () => {
  it("of an older version changes nothing", () => {
    const decision = run(orderIn("submitted", { request_version: 2 }), COMMANDS.acknowledged);
    expect(decision.order.status).toBe("submitted");
    expect(decision.order.provider_status).toBe("");
  });

  it("sets provider_status, but not when it is older than the last one", () => {
    const acknowledged = run(orderIn("submitted"), COMMANDS.acknowledged).order;
    expect(acknowledged.provider_status).toBe("RECEIVED");
    const earlier = buildStatusUpdate({ raw_status: "OLD", occurred_at: T0, kind: null });
    const decision = run(acknowledged, { command: "status_update", update: earlier });
    expect(decision.order.provider_status).toBe("RECEIVED");
  });

  it("with the same date is ignored, and with another date publishes a change with equal statuses", () => {
    const scheduled = run(orderIn("submitted"), COMMANDS.carrier_date);
    expect(movesOf(run(scheduled.order, COMMANDS.carrier_date))).toEqual([]);
    const moved = run(
      scheduled.order,
      statusUpdate({ kind: "date_moved", foc_at: "2026-11-23T10:00:00-05:00" }),
    );
    expect(movesOf(moved)).toEqual([["foc_scheduled", "foc_scheduled"]]);
    expect(moved.order.foc_actual).toBe("2026-11-23T10:00:00-05:00");
  });
});

describe("the confirmed date", () => {
  const due = new Date("2026-11-12T10:00:00-05:00");

  it("asks the carrier to activate when it is reached", () => {
    const decision = run(orderIn("foc_scheduled"), { command: "foc_reached", at: due });
    expect(decision.effects).toEqual([{ effect: "carrier_task", kind: "activate" }]);
  });

  it("asks nothing if the date was moved or the order has moved on", () => {
    const moved = orderIn("foc_scheduled", { foc_actual: "2026-11-13T10:00:00-05:00" });
    const went = orderIn("activating");
    for (const order of [moved, went]) {
      expect(run(order, { command: "foc_reached", at: due }).effects).toEqual([]);
    }
  });
});

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

const SENT = "The request was sent again.";
const NOT_SENT =
  "The request was not sent again: the carrier's integration does not take requests of this kind.";

/** What a provider with these capabilities takes; without any, one that has no file. */
function takesOf(capabilities?: Provider["capabilities"]) {
  const providers = new Map<string, Provider>();
  if (capabilities !== undefined) providers.set("carrier", { capabilities } as Provider);
  return (kind: string) => takesRequest(providers, "carrier", kind);
}

const silence = (capabilities?: Provider["capabilities"]): OrderCommand => ({
  command: "carrier_silence",
  at: T0,
  takes: takesOf(capabilities),
});

describe("a carrier that is asked again", () => {
  it.each<[string, Provider["capabilities"] | undefined, string]>([
    ["a provider that takes the request", ["submit", "activate"], SENT],
    ["a provider without a file, which gets every request", undefined, SENT],
    ["a provider that does not take the request", ["activate"], NOT_SENT],
  ])("has in its order what became of the request: %s", (_what, capabilities, outcome) => {
    const order = orderIn("submitted", { request_version: 1 });
    const decision = run(order, silence(capabilities));
    const reason = `The carrier has not answered. ${outcome}`;
    expect(decision.order.attention).toMatchObject({ reason });
    expect(decision.effects).toContainEqual({
      effect: "system_comment",
      body: reason,
      internal: false,
    });
    // Whether it is sent, carrier-adapter decides.
    expect(decision.effects.at(-1)).toEqual({ effect: "carrier_task", kind: "submit" });
  });

  it("is not said to be asked for an activation that its integration does not take", () => {
    const order = orderIn("foc_scheduled", { foc_actual: T0.toISOString() });
    const command = { command: "foc_grace", at: T0, takes: takesOf(["submit"]) } as const;
    expect(run(order, command).order.attention?.reason).toBe(
      `The port date has passed and the carrier has not started the activation. ${NOT_SENT}`,
    );
  });
});
