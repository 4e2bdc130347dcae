import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { buildEvent, payloadOf } from "../../../../test/support/orders/event-factory.ts";
import { createCodecWithIds } from "../../../messages/codec.ts";
import { SENT_EVENT_TYPES, type SentEventType } from "../../../messages/events.ts";
import { newId } from "../../../platform/ids.ts";
import { newEvent } from "./new-event.ts";
import { exampleEvent, sampleBody, serializeEvent } from "./serialize-event.ts";

const codec = createCodecWithIds(new Map([["porting.events", 1]]));

/** The body of an event after a round trip through the topic's codec. */
async function bytesOf(type: SentEventType): Promise<string> {
  const value = codec.encode("porting.events", buildEvent(type));
  const event = await codec.decode("porting.events", value);
  return serializeEvent(event, type).toString();
}

const SNAPSHOT =
  `{"id":"@ORDER","batch_id":"@BATCH","status":"foc_scheduled","closed_by":null,"provider_status":"FOC",` +
  `"country_code":"US","number_type":"local","customer_reference":"Ünïcode \u2028 \\"quoted\\"",` +
  `"requirements_status":true,"foc_requested":null,"foc_actual":"2026-11-12T10:00:00-05:00",` +
  `"phone_numbers":["+12125550123"]}`;

const portOut = (status: string, deadline: string, decision: string): string =>
  `{"id":"@OTHER","phone_numbers":["+12125550123"],"status":"${status}","gaining_carrier":"Other Telecom",` +
  `"requested_foc":"2026-11-20T10:00:00+01:00","foc_actual":null,"decision_deadline":${deadline},` +
  `"decision":${decision},"provider_status":null,"created_at":"2026-11-02T09:00:00.007Z",` +
  `"updated_at":"2026-11-02T09:00:00.008Z"}`;

const CALL =
  `"call_id":"call-1","phone_number":"+12125550123","from":"+12125550199","to":"+12125550177",` +
  `"occurred_at":"2026-11-02T09:00:00.007Z"`;

/** The contract's bodies, which must never change. */
const GOLDEN: Readonly<Partial<Record<SentEventType, string>>> = {
  "porting_order.created": `{"porting_order":${SNAPSHOT}}`,
  "porting_order.split":
    `{"batch_id":"@BATCH","porting_orders":[{"id":"@ORDER","phone_numbers":["+12125550123"],` +
    `"country_code":"US","number_type":"local","losing_carrier":null}]}`,
  "porting_order.deleted":
    `{"porting_order_id":"@ORDER","batch_id":"@BATCH","customer_reference":"",` +
    `"phone_numbers":["+12125550123"],"deleted_at":"2026-11-02T09:00:00.007Z","deleted_by":"customer"}`,
  "porting_order.status_changed": `{"porting_order":${SNAPSHOT},"previous_status":"in_process","new_status":"foc_scheduled"}`,
  "porting_order.requirement_updated": `{"porting_order_id":"@ORDER","requirement":{"slug":"loa","status":"approved"}}`,
  "porting_order.new_comment":
    `{"porting_order_id":"@ORDER","comment":{"id":"@OTHER","body":"Looks good.","author_type":"ops",` +
    `"created_at":"2026-11-02T09:00:00.007Z"}}`,
  "loa.signed":
    `{"porting_order_id":"@ORDER","document_id":"@OTHER","sha256":"${"ab".repeat(32)}",` +
    `"signer_name":"Ada Lovelace","signed_at":"2026-11-02T09:00:00.007Z"}`,
  "number.activated":
    `{"phone_number":"+12125550123","porting_order_id":"@ORDER","country_code":"US",` +
    `"number_type":"local","activated_at":"2026-11-02T09:00:00.007Z"}`,
  "number.provider_changed":
    `{"phone_number":"+12125550123","previous_provider":"sandbox","new_provider":"manual",` +
    `"forwarding_reapplied":false}`,
  "call.forwarded": `{${CALL},"forwarded_by":"platform","stage":"primary"}`,
  "call.completed": `{${CALL},"duration_seconds":61,"ended_by":"caller"}`,
  "call.missed": `{${CALL},"reason":"no_answer"}`,
  "number.ported_out":
    `{"phone_number":"+12125550123","port_out_id":null,"gaining_carrier":null,` +
    `"ported_out_at":"2026-11-02T09:00:00.007Z"}`,
  "port_out.created": `{"port_out":${portOut("decision_required", `"2026-11-03T09:00:00.007Z"`, "null")}}`,
  "port_out.status_changed":
    `{"port_out":${portOut("rejected", "null", `{"by":"ops","at":"2026-11-02T09:00:00.007Z","code":"pin_invalid","reason":null}`)},` +
    `"previous_status":"decision_required","new_status":"rejected"}`,
};

const NAMES = { "@ORDER": "1", "@BATCH": "3", "@OTHER": "4" };

function golden(type: SentEventType): string {
  const prefix = "TIME-7195-84b0-00000000000";
  const payload = Object.entries(NAMES).reduce(
    (text, [name, digit]) => text.replaceAll(name, prefix + digit),
    GOLDEN[type] ?? "no golden body yet",
  );
  return (
    `{"id":"TIME-7195-84b0-011dca65599f","type":"${type}",` +
    `"created_at":"2026-11-02T09:00:00.007Z","payload":${payload}}`
  ).replaceAll("TIME", "01a19b7c-a687");
}

describe("the body of an event", () => {
  it.each(SENT_EVENT_TYPES)("of %s is exact to the byte", async (type) => {
    expect(await bytesOf(type)).toBe(golden(type));
  });

  it("includes a rejected requirement's reason", () => {
    const payload = {
      ...payloadOf("porting_order.requirement_updated"),
      requirement: { slug: "loa", status: "requirement-info-exception", reason: "Unreadable" },
    };
    const type = "porting_order.requirement_updated";
    const { created_at, ...envelope } = buildEvent(type);
    const at = new Date(created_at);
    const event = newEvent(type, payload, { ...envelope, created_at: at, context: null });
    expect(JSON.parse(serializeEvent(event, type).toString())).toMatchObject({
      payload: { requirement: { reason: "Unreadable" } },
    });
  });
});

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
