import { describe, expect, it } from "@jest/globals";
import type { PortingEvent } from "../../../messages/generated/porting-event.ts";
import {
  ACCOUNT_ID,
  buildEvent,
  EVENT_AT,
  ORDER_ID,
} from "../../../../test/support/orders/event-factory.ts";
import { firstById, presentEvent, toStorable } from "./storable-event.ts";
import { eventArrays } from "../store/store-events.ts";

const BROKEN: readonly [string, Partial<PortingEvent>][] = [
  ["a type that this version does not know", { type: "unrecognized" }],
  ["the reserved type", { type: "porting_order_foc_date_changed" }],
  ["an id of another time than created_at", { created_at: EVENT_AT.getTime() + 1 }],
  ["an id that is not a version 7 UUID", { id: "11111111-1111-4111-8111-111111111111" }],
  ["an id that is not a UUID", { id: "event-1" }],
  ["an account that is not a UUID", { account_id: "acme" }],
  ["an order that is not a UUID", { order_id: "1" }],
  ["the payload of another type", { type: "porting_order_split" }],
  [
    "two payloads",
    {
      payload: {
        ...buildEvent("loa.signed").payload,
        porting_order_created: buildEvent("porting_order.created").payload.porting_order_created,
      },
    },
  ],
  ["another sequence_key", { sequence_key: "+12125550123" }],
  ["no order_sequence", { order_sequence: null }],
  ["an order_sequence below 1", { order_sequence: 0 }],
  ["an order_sequence beyond the integer range", { order_sequence: 2 ** 31 }],
];

describe("an event to be stored", () => {
  it("has its envelope, its public type and its bytes", () => {
    const { body, ...rest } = toStorable(buildEvent("porting_order.created"));
    expect(rest).toEqual({
      context: null,
      id: buildEvent("porting_order.created").id,
      accountId: ACCOUNT_ID,
      type: "porting_order.created",
      orderId: ORDER_ID,
      sequenceKey: ORDER_ID,
      orderSequence: 1,
      createdAt: EVENT_AT,
    });
    expect(body.toString()).toContain(`"type":"porting_order.created"`);
  });

  it.each(BROKEN)("is refused with %s", (_, fields) => {
    const event = { ...buildEvent("porting_order.created"), ...fields };
    expect(() => toStorable(event)).toThrow(expect.objectContaining({ code: "rule_broken" }));
  });

  it("is refused if a call has an order_sequence", () => {
    const event = buildEvent("call.missed", { order_sequence: 1 });
    expect(() => toStorable(event)).toThrow(expect.objectContaining({ code: "rule_broken" }));
  });

  it("is stored once if a batch has it twice, as the first of them has it", () => {
    const event = toStorable(buildEvent("porting_order.created"));
    const again = { ...event, createdAt: new Date(0), body: Buffer.from("{}") };
    const other = { ...event, id: ACCOUNT_ID };
    const [ids, , , , , , times, bodies] = eventArrays([event, other, again]);
    expect(ids).toEqual([event.id, other.id]);
    expect(times).toEqual(["2026-11-02T09:00:00.007Z", "2026-11-02T09:00:00.007Z"]);
    expect(bodies).toEqual([event.body, event.body]);
    expect([...firstById([event, other, again]).values()]).toEqual([event, other]);
  });
});

describe("an event in the API", () => {
  it("has exactly id, type, order_id, payload and created_at", () => {
    const { id, orderId, body } = toStorable(buildEvent("number.provider_changed"));
    const view = presentEvent({ id, order_id: orderId, body });
    expect(Object.keys(view)).toEqual(["id", "type", "order_id", "payload", "created_at"]);
    expect(view).toMatchObject({
      id,
      type: "number.provider_changed",
      order_id: ORDER_ID,
      created_at: "2026-11-02T09:00:00.007Z",
      payload: { previous_provider: "sandbox", new_provider: "manual" },
    });
  });
});
