import { describe, expect, it } from "@jest/globals";
import { buildOrder, buildRequirement, orderIn } from "../../test/support/orders/order-factory.ts";
import { findMisfit } from "../domain/carrier/rules/find-update-fault.ts";
import type { StatusUpdateKind } from "../domain/order/rules/status-update.ts";
import { decide } from "../domain/order/rules/decide.ts";
import { EXCEPTION_CATALOGUE } from "../domain/order/rules/exception-catalogue.ts";
import { SYSTEM_ACTOR, type Order } from "../domain/order/rules/order.ts";
import type { CarrierUpdate } from "../messages/generated/carrier-update.ts";
import { readCarriers } from "../domain/carrier/read-carriers.ts";
import { kindOf, reasonOf } from "../domain/carrier/rules/read-update.ts";

const PHONES = ["+12125551234", "+12125551235"];
const DATE = "2026-11-12T10:00:00-05:00";
const LATER = "2026-11-19T10:00:00-05:00";
const SAID_AT = Date.parse("2026-11-03T09:00:00Z");
const { providers } = readCarriers("data/carriers");

/** An order of two numbers as its carrier has just been sent it. */
function sent(provider: string): Order {
  const slugs = new Set(EXCEPTION_CATALOGUE.flatMap((one) => one.slugs));
  return orderIn("submitted", {
    provider,
    requirements: [...slugs].map((slug) => buildRequirement({ slug, status: "approved" })),
    numbers: PHONES.flatMap((phone_number) =>
      buildOrder().numbers.map((number) => ({ ...number, phone_number })),
    ),
  });
}

/** A carrier that speaks in the statuses of its file alone. */
class Speaker {
  order: Order;
  readonly statuses: string[] = [];
  private readonly rawByKind: ReadonlyMap<StatusUpdateKind, string>;
  private step = 0;

  constructor(provider: string) {
    this.order = sent(provider);
    const statuses = [...(providers.get(provider)?.statuses ?? [])].reverse();
    this.rawByKind = new Map(statuses.map(([raw, kind]) => [kind, raw]));
  }

  says(kind: StatusUpdateKind, fields: Partial<CarrierUpdate> = {}): this {
    this.step += 1;
    this.hears({
      update_id: `update-${this.step}`,
      provider: this.order.provider,
      order_id: this.order.id,
      request_version: this.order.request_version,
      occurred_at: SAID_AT + this.step * 1_000,
      raw_status: this.rawByKind.get(kind) ?? "no such status",
      kind: null,
      foc_at: null,
      rejection: null,
      phone_numbers: null,
      comment: null,
      operator_id: null,
      ...fields,
    });
    return this;
  }

  private hears(received: CarrierUpdate): void {
    const kind = kindOf(providers, received);
    expect(kind).not.toBeNull();
    if (kind === null || kind === "unrecognized") return;
    expect(findMisfit({ ...received, kind }, this.order)).toBeNull();
    const update = {
      kind,
      raw_status: received.raw_status,
      request_version: received.request_version,
      occurred_at: new Date(received.occurred_at),
      foc_at: received.foc_at,
      phone_numbers: received.phone_numbers,
      ...reasonOf(providers, received),
      comment: null,
    };
    this.takes({ command: "status_update", update });
  }

  cancels(): this {
    this.takes({ command: "cancel", by: "customer", reason: null, cutoffMs: 0 });
    return this;
  }

  private takes(command: Parameters<typeof decide>[1]): void {
    const now = new Date(SAID_AT + 3_600_000);
    const decision = decide(this.order, command, { actor: SYSTEM_ACTOR, now });
    if (!decision.allowed) throw new Error(decision.refusal.detail);
    this.order = decision.order;
    for (const effect of decision.effects) {
      if (effect.effect === "event" && effect.type === "porting_order.status_changed") {
        this.statuses.push(effect.payload.new_status);
      }
    }
  }
}

const dated = { foc_at: DATE };
const [first = "", second = ""] = PHONES;

describe.each([...providers.keys()])("provider %s", (name) => {
  const speaker = (): Speaker => new Speaker(name);
  const scheduled = () => speaker().says("acknowledged").says("date_confirmed", dated);
  const raws = [...(providers.get(name)?.codes ?? [])];

  it("acknowledges, dates and ports", () => {
    const { order, statuses } = scheduled().says("activating").says("number_active");
    expect(statuses).toEqual(["in_process", "foc_scheduled", "activating", "completed"]);
    expect(order.foc_actual).toBe(DATE);
    expect(order.provider_status).not.toBe("");
  });

  it("moves the date", () => {
    const { order, statuses } = scheduled().says("date_moved", { foc_at: LATER });
    expect(statuses).toEqual(["in_process", "foc_scheduled", "foc_scheduled"]);
    expect(order.foc_actual).toBe(LATER);
  });

  it.each([...EXCEPTION_CATALOGUE])("rejects with $code", ({ code, slugs }) => {
    const rejection = { raw_code: code, raw_text: "" };
    const { order } = speaker().says("rejected", { rejection });
    const exceptions = [{ code, slug: slugs[0] ?? null }];
    expect([order.status, order.exceptions]).toMatchObject(["rejection", exceptions]);
  });

  it("rejects in its own codes", () => {
    for (const [raw_code, code] of raws) {
      const rejection = { raw_code, raw_text: "as the carrier says it" };
      const { order } = speaker().says("rejected", { rejection });
      expect(order.exceptions).toMatchObject([{ code, detail: "as the carrier says it" }]);
    }
  });

  it("rejects in a code that nobody knows, which is shown", () => {
    const rejection = { raw_code: "no such code", raw_text: "" };
    const { order } = speaker().says("rejected", { rejection });
    expect(order.exceptions).toMatchObject([{ code: "other", detail: "no such code", slug: null }]);
  });

  it("refuses for good", () => {
    const { order } = speaker().says("refused");
    expect([order.status, order.closed_by]).toEqual(["cancelled", "provider"]);
  });

  it("ports a part", () => {
    const rejection = { raw_code: "sv_failure", raw_text: "" };
    const { order } = scheduled()
      .says("activating")
      .says("number_active", { phone_numbers: [first] })
      .says("number_failed", { phone_numbers: [second], rejection });
    expect(order.status).toBe("completed_partial");
    expect(order.numbers.map((one) => one.failure_code)).toEqual([null, "sv_failure"]);
  });

  it("confirms a cancellation, or refuses it", () => {
    const confirmed = scheduled().cancels().says("cancel_confirmed").order;
    expect([confirmed.status, confirmed.closed_by]).toEqual(["cancelled", "customer"]);
    expect(scheduled().cancels().says("cancel_refused").order.status).toBe("foc_scheduled");
    expect(scheduled().cancels().says("number_active").order.status).toBe("completed");
  });

  it("is heard late without harm", () => {
    const over = speaker().says("number_active");
    over
      .says("acknowledged")
      .says("date_confirmed", dated)
      .says("rejected", {
        rejection: { raw_code: "other", raw_text: "" },
      });
    expect([over.order.status, over.statuses.at(-1)]).toEqual(["completed", "completed"]);
  });

  it("repeats itself without effect", () => {
    const twice = speaker();
    for (const kind of ["acknowledged", "date_confirmed", "activating", "number_active"] as const) {
      twice.says(kind, dated).says(kind, dated);
    }
    expect(twice.statuses).toEqual(["in_process", "foc_scheduled", "activating", "completed"]);
  });

  it("says things out of order, and the order ends the same", () => {
    const { statuses } = speaker()
      .says("date_confirmed", dated)
      .says("acknowledged")
      .says("number_active", { phone_numbers: [second] })
      .says("activating")
      .says("number_active", { phone_numbers: [first] });
    expect(statuses).toEqual(["in_process", "foc_scheduled", "activating", "completed"]);
  });

  it("leaves a note that moves nothing", () => {
    expect(speaker().says("comment").order.status).toBe("submitted");
  });
});
