import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AvroSchema } from "../platform/avro/schema.ts";
import {
  EVENT_TYPES,
  EVENTS,
  eventTypeOfSymbol,
  isEventType,
  isSentEventType,
  SENT_EVENTS,
  SENT_EVENT_TYPES,
  symbolOfEventType,
} from "./events.ts";
import { PORTING_EVENT_SCHEMA } from "./generated/porting-event.ts";

const CONTRACT = join("docs", "contract", "interface-specification.md");

function fieldType(name: string): AvroSchema | undefined {
  return PORTING_EVENT_SCHEMA.fields.find((field) => field.name === name)?.type;
}

/** The rows of the contract's table (docs/contract/interface-specification.md, Event types). */
function contractRows(): readonly (readonly [type: string, firedWhen: string])[] {
  const document = readFileSync(join(process.cwd(), CONTRACT), "utf8");
  const [section = ""] = document.split("\n### Event types\n")[1]?.split("\n#") ?? [];
  const rows = [...section.matchAll(/^\| (\w+\.\w+) \| (.+) \|$/gm)];
  return rows.map(([, type = "", firedWhen = ""]) => [type, firedWhen]);
}

describe("the event types", () => {
  it("match the contract, including when they are fired", () => {
    expect(contractRows().length).toBeGreaterThanOrEqual(16);
    expect(EVENT_TYPES.map((type) => [type, EVENTS[type].firedWhen])).toEqual(contractRows());
  });

  it("include one reserved type", () => {
    const reserved = EVENT_TYPES.filter((type) => !isSentEventType(type));
    expect(reserved).toEqual(["porting_order.foc_date_changed"]);
    expect(reserved.every(isEventType)).toBe(true);
  });

  it("have public names that differ from the bus's symbols", () => {
    expect(isEventType("porting_order_created")).toBe(false);
    expect(isEventType("toString")).toBe(false);
  });

  it("are the symbols of the bus, in the same order", () => {
    expect(fieldType("type")).toMatchObject({
      symbols: ["unrecognized", ...EVENT_TYPES.map(symbolOfEventType)],
    });
  });

  it("have a payload field each, except the reserved one", () => {
    expect(fieldType("payload")).toMatchObject({
      fields: SENT_EVENT_TYPES.map((type) => ({ name: symbolOfEventType(type) })),
    });
  });

  // (docs/contract/messages.md, Event envelope)
  it("are ordered by order, number or port-out, and numbered unless they are calls", () => {
    const ofOrders = ["loa.signed", "number.activated"];
    for (const type of SENT_EVENT_TYPES) {
      const isOrders = type.startsWith("porting_order.") || ofOrders.includes(type);
      const ofOthers = type.startsWith("port_out.") ? "port_out" : "phone_number";
      const { orderedBy, isNumbered } = SENT_EVENTS[type];
      expect([type, orderedBy]).toEqual([type, isOrders ? "order" : ofOthers]);
      expect([type, isNumbered]).toEqual([type, !type.startsWith("call.")]);
    }
  });

  it("can be found by their symbol", () => {
    expect(EVENT_TYPES.map(symbolOfEventType).map(eventTypeOfSymbol)).toEqual(EVENT_TYPES);
    expect(eventTypeOfSymbol("unrecognized")).toBeNull();
  });
});
