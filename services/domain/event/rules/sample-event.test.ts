import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { SENT_EVENT_TYPES } from "../../../messages/events.ts";
import { newId } from "../../../platform/ids.ts";
import { exampleEvent, sampleBody } from "./sample-event.ts";

const split = z.object({ porting_orders: z.array(z.object({ number_type: z.string() })) });
const at = new Date("2026-03-01T12:00:00.000Z");

describe("a sample event", () => {
  it.each(SENT_EVENT_TYPES)("of the type %s has the body of a webhook", (type) => {
    const id = newId(at);
    const body: unknown = JSON.parse(sampleBody(type, { id, accountId: id, at }).toString());
    expect(body).toEqual({
      id,
      type,
      created_at: at.toISOString(),
      payload: expect.any(Object),
    });
  });

  it("shows the fields of a port-out that awaits a decision", () => {
    const sample = exampleEvent("port_out.status_changed")["payload"];
    const port_out = { decision_deadline: expect.any(String), provider_status: expect.any(String) };
    expect(sample).toMatchObject({ new_status: "decision_required", port_out });
  });

  it("shows several orders in a split", () => {
    const { porting_orders: orders } = split.parse(exampleEvent("porting_order.split")["payload"]);
    expect(new Set(orders.map((order) => order.number_type)).size).toBeGreaterThan(1);
  });
});
