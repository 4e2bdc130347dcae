import { describe, expect, it } from "@jest/globals";
import { SENT_EVENT_TYPES, type EventPayload } from "../../messages/events.ts";
import { newEvent, type EventEnvelope } from "../../domain/event/rules/new-event.ts";
import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";
import {
  ACCOUNT_ID,
  buildEvent,
  EVENT_AT,
  ORDER_ID,
  payloadOf,
} from "../../../test/support/orders/event-factory.ts";
import { noticeOfEvent } from "./notice-of-event.ts";

const ID = "01a19b7c-a687-7195-84b0-0000000000aa";
const ENVELOPE: EventEnvelope = {
  id: ID,
  account_id: ACCOUNT_ID,
  order_id: ORDER_ID,
  sequence_key: ORDER_ID,
  order_sequence: 1,
  created_at: EVENT_AT,
  context: null,
};

type Moved = EventPayload<"porting_order.status_changed">;

function noticeOfMove(new_status: string, order: Partial<Moved["porting_order"]> = {}) {
  const { porting_order } = payloadOf("porting_order.status_changed");
  const moved: Moved = {
    porting_order: { ...porting_order, ...order },
    previous_status: "in_process",
    new_status,
  };
  return noticeOfEvent(newEvent("porting_order.status_changed", moved, ENVELOPE));
}

describe("the notice of an event", () => {
  it.each(ORDER_STATUSES)("of an order that becomes %s", (status) => {
    const kinds: Readonly<Record<string, string>> = {
      rejection: "fix_needed",
      foc_scheduled: "date_confirmed",
      completed: "numbers_live",
      completed_partial: "numbers_live",
    };
    expect(noticeOfMove(status)?.kind).toBe(kinds[status]);
  });

  it("is one for an order, under the event's id, without a whole number", () => {
    const phone_numbers = ["+12125550123", "+12125550124", "+12125550125"];
    expect(noticeOfMove("foc_scheduled", { phone_numbers, customer_reference: "Case 12" })).toEqual(
      {
        key: ID,
        account_id: ACCOUNT_ID,
        kind: "date_confirmed",
        facts: {
          order_id: ORDER_ID,
          numbers: 3,
          last_digits: "23",
          reference: "Case 12",
          date: "2026-11-12T10:00:00-05:00",
        },
      },
    );
  });

  it("has the requested date where the carrier confirmed an earlier one", () => {
    const foc_actual = "2026-11-12T10:00:00-05:00";
    const datesOf = (foc_requested: string | null) => {
      const notice = noticeOfMove("foc_scheduled", { foc_actual, foc_requested });
      return [notice?.facts.date, notice?.facts.requested_date];
    };
    const later = "2026-11-13T10:00:00-05:00";
    expect(datesOf(later)).toEqual([foc_actual, later]);
    expect(datesOf("2026-11-11T10:00:00-05:00")).toEqual([foc_actual, undefined]);
    expect(datesOf(null)).toEqual([foc_actual, undefined]);
  });

  it("says that only some numbers are live", () => {
    expect(noticeOfMove("completed_partial")?.facts.partly).toBe(true);
    expect(noticeOfMove("completed")?.facts.partly).toBeUndefined();
  });

  it.each([
    ["+1 (212) 555-0123", undefined],
    ["PIN 1234567", undefined],
    ["", undefined],
    ["  ", undefined],
    ["Move 12\r\nBcc: other@example.com", "Move 12  Bcc: other@example.com"],
    ["x".repeat(300), "x".repeat(100)],
  ])("repeats the reference %j as %j", (customer_reference, expected) => {
    expect(noticeOfMove("rejection", { customer_reference })?.facts.reference).toBe(expected);
  });

  it("is one for a port-out that waits for a decision, with its deadline", () => {
    const { port_out } = payloadOf("port_out.created");
    const change = (new_status: string) =>
      noticeOfEvent(
        newEvent(
          "port_out.status_changed",
          { port_out, previous_status: "requested", new_status },
          { ...ENVELOPE, order_id: null, sequence_key: port_out.id },
        ),
      );
    expect(change("decision_required")).toMatchObject({
      kind: "port_out_decision",
      facts: {
        port_out_id: port_out.id,
        numbers: 1,
        last_digits: "23",
        date: "2026-11-03T09:00:00.007Z",
      },
    });
    expect(change("approved")).toBeNull();
  });

  it("is none for any other type", () => {
    const others = SENT_EVENT_TYPES.filter((type) => !type.endsWith(".status_changed"));
    expect(others.map((type) => noticeOfEvent(buildEvent(type)))).toEqual(others.map(() => null));
  });
});
