import { describe, expect, it } from "@jest/globals";
import { buildCarrierUpdate } from "../../test/support/carriers/carrier-update-factory.ts";
import { buildOrder, buildRequirement, orderIn } from "../../test/support/orders/order-factory.ts";
import { findMisfit } from "../domain/carrier/rules/carrier-faults.ts";
import type { StatusUpdateKind } from "../domain/order/rules/status-update.ts";
import { decide } from "../domain/order/rules/decide.ts";
import { EXCEPTION_CATALOGUE, INFORMATION } from "../domain/order/rules/exception-catalogue.ts";
import { SYSTEM_ACTOR, type Order } from "../domain/order/rules/order.ts";
import type { CarrierUpdate } from "../messages/generated/carrier-update.ts";
import { PORT_OUT_REJECT_CODES } from "../domain/port-out/rules/port-out.ts";
import { readCarriers } from "../domain/carrier/read-carriers.ts";
import { PLATFORM_PROVIDER } from "../messages/platform-provider.ts";
import { kindOf, namedCode, reasonOf } from "../domain/carrier/rules/read-update.ts";

const PHONES = ["+12125551234", "+12125551235"];
const DATE = "2026-11-12T10:00:00-05:00";
const LATER = "2026-11-19T10:00:00-05:00";
const REPORTED_AT = Date.parse("2026-11-03T09:00:00Z");
const { providers } = readCarriers("data/carriers");

/** An order of two numbers that has just been sent to its carrier. */
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

/** An order whose carrier reports only statuses of its provider's file. */
class CarriedOrder {
  order: Order;
  readonly statuses: string[] = [];
  private readonly rawByKind: ReadonlyMap<StatusUpdateKind, string>;
  private step = 0;

  constructor(provider: string) {
    this.order = sent(provider);
    const statuses = [...(providers.get(provider)?.statuses ?? [])].reverse();
    this.rawByKind = new Map(statuses.map(([raw, kind]) => [kind, raw]));
  }

  reports(kind: StatusUpdateKind, fields: Partial<CarrierUpdate> = {}): this {
    this.step += 1;
    const { provider, id: order_id, request_version } = this.order;
    this.receives(
      buildCarrierUpdate({
        update_id: `update-${this.step}`,
        provider,
        order_id,
        request_version,
        occurred_at: REPORTED_AT + this.step * 1_000,
        raw_status: this.rawByKind.get(kind) ?? "no such status",
        ...fields,
      }),
    );
    return this;
  }

  private receives(received: CarrierUpdate): void {
    const kind = kindOf(providers, received);
    expect(kind).not.toBeNull();
    if (kind === null || kind === "unrecognized") return;
    expect(
      findMisfit({ ...received, kind }, this.order, new Date(received.occurred_at)),
    ).toBeNull();
    const update = {
      kind,
      raw_status: received.raw_status,
      request_version: received.request_version,
      occurred_at: new Date(received.occurred_at),
      foc_at: received.foc_at,
      phone_numbers: received.phone_numbers,
      ...reasonOf(providers, received),
      slug: received.rejection?.slug ?? null,
      comment: null,
      reason_comment_id: "01a1fc57-b585-7195-84b0-00000000000a",
    };
    this.decides({ command: "status_update", update });
  }

  cancels(): this {
    this.decides({ command: "cancel", by: "customer", reason: null, cutoffMs: 0 });
    return this;
  }

  private decides(command: Parameters<typeof decide>[1]): void {
    const now = new Date(REPORTED_AT + 3_600_000);
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
  const carried = (): CarriedOrder => new CarriedOrder(name);
  const scheduled = () => carried().reports("acknowledged").reports("date_confirmed", dated);
  const raws = [...(providers.get(name)?.codes ?? [])];

  it("acknowledges, dates and ports", () => {
    const { order, statuses } = scheduled().reports("activating").reports("number_active");
    expect(statuses).toEqual(["in_process", "foc_scheduled", "activating", "completed"]);
    expect(order.foc_actual).toBe(DATE);
    expect(order.provider_status).not.toBe("");
  });

  it("moves the date", () => {
    const { order, statuses } = scheduled().reports("date_moved", { foc_at: LATER });
    expect(statuses).toEqual(["in_process", "foc_scheduled", "foc_scheduled"]);
    expect(order.foc_actual).toBe(LATER);
  });

  const rejections = EXCEPTION_CATALOGUE.filter(({ code }) => code !== INFORMATION);

  it.each(rejections)("rejects with $code", ({ code, slugs }) => {
    const rejection = { raw_code: code, raw_text: "", slug: null };
    const { order } = carried().reports("rejected", { rejection });
    const exceptions = [{ code, slug: slugs[0] ?? null }];
    expect([order.status, order.exceptions]).toMatchObject(["rejection", exceptions]);
  });

  it("rejects in its own codes", () => {
    for (const [raw_code, code] of raws.filter(([, one]) => one !== INFORMATION)) {
      const rejection = { raw_code, raw_text: "the carrier's own text", slug: null };
      const { order } = carried().reports("rejected", { rejection });
      expect(order.exceptions).toMatchObject([{ code, detail: "the carrier's own text" }]);
    }
  });

  it("tells of a delay without rejecting", () => {
    const rejection = { raw_code: INFORMATION, raw_text: "An outage.", slug: null };
    const { order } = carried().reports("rejected", { rejection });
    expect([order.status, order.exceptions]).toEqual(["submitted", []]);
  });

  it("rejects for a requirement that it names, if the order has it", () => {
    const slugOf = (slug: string) => {
      const rejection = { raw_code: "other", raw_text: "", slug };
      return carried().reports("rejected", { rejection }).order.exceptions[0]?.slug;
    };
    expect([slugOf("rio_code"), slugOf("no_such_slug")]).toEqual(["rio_code", null]);
  });

  it("shows an unknown code as the detail of other", () => {
    const rejection = { raw_code: "no such code", raw_text: "", slug: null };
    const { order } = carried().reports("rejected", { rejection });
    expect(order.exceptions).toMatchObject([{ code: "other", detail: "no such code", slug: null }]);
  });

  it("refuses finally", () => {
    const { order } = carried().reports("refused");
    expect([order.status, order.closed_by]).toEqual(["cancelled", "provider"]);
  });

  it("ports some numbers and fails others", () => {
    const rejection = { raw_code: "sv_failure", raw_text: "", slug: null };
    const { order } = scheduled()
      .reports("activating")
      .reports("number_active", { phone_numbers: [first] })
      .reports("number_failed", { phone_numbers: [second], rejection });
    expect(order.status).toBe("completed_partial");
    expect(order.numbers.map((one) => one.failure_code)).toEqual([null, "sv_failure"]);
  });

  it("confirms a cancellation, or refuses it", () => {
    const confirmed = scheduled().cancels().reports("cancel_confirmed").order;
    expect([confirmed.status, confirmed.closed_by]).toEqual(["cancelled", "customer"]);
    expect(scheduled().cancels().reports("cancel_refused").order.status).toBe("foc_scheduled");
    expect(scheduled().cancels().reports("number_active").order.status).toBe("completed");
  });

  it("reports late without harm", () => {
    const over = carried().reports("number_active");
    over
      .reports("acknowledged")
      .reports("date_confirmed", dated)
      .reports("rejected", {
        rejection: { raw_code: "other", raw_text: "", slug: null },
      });
    expect([over.order.status, over.statuses.at(-1)]).toEqual(["completed", "completed"]);
  });

  it("repeats a status update without effect", () => {
    const twice = carried();
    for (const kind of ["acknowledged", "date_confirmed", "activating", "number_active"] as const) {
      twice.reports(kind, dated).reports(kind, dated);
    }
    expect(twice.statuses).toEqual(["in_process", "foc_scheduled", "activating", "completed"]);
  });

  it("reports out of order with the same result", () => {
    const { statuses } = carried()
      .reports("date_confirmed", dated)
      .reports("acknowledged")
      .reports("number_active", { phone_numbers: [second] })
      .reports("activating")
      .reports("number_active", { phone_numbers: [first] });
    expect(statuses).toEqual(["in_process", "foc_scheduled", "activating", "completed"]);
  });

  it("sends a note that does not change the order", () => {
    expect(carried().reports("comment").order.status).toBe("submitted");
  });
});

// (docs/contract/customer-api.md, Porting orders)
describe("provider platform", () => {
  it.each(PORT_OUT_REJECT_CODES)("has a canonical code for a port-out rejected with %s", (code) => {
    expect(namedCode(providers, PLATFORM_PROVIDER, code)).toBeDefined();
  });
});
