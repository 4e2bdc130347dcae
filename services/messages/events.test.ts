import { describe, expect, it } from "@jest/globals";
import type { AvroSchema } from "../platform/avro/schema.ts";
import {
  EVENT_TYPES,
  RESERVED_EVENT_TYPE,
  eventTypeOfSymbol,
  isEventType,
  symbolOfEventType,
} from "./events.ts";
import { PORTING_EVENT_SCHEMA } from "./generated/porting-event.ts";

function fieldType(name: string): AvroSchema | undefined {
  return PORTING_EVENT_SCHEMA.fields.find((field) => field.name === name)?.type;
}

describe("the event types", () => {
  it("are the 16 of the specification", () => {
    expect(EVENT_TYPES).toHaveLength(16);
    expect(isEventType(RESERVED_EVENT_TYPE)).toBe(true);
    expect(isEventType("porting_order_created")).toBe(false);
  });

  it("are the symbols of the bus, in the same order", () => {
    expect(fieldType("type")).toMatchObject({
      symbols: ["unrecognized", ...EVENT_TYPES.map(symbolOfEventType)],
    });
  });

  it("have a payload field each, but for the reserved one", () => {
    const sent = EVENT_TYPES.filter((type) => type !== RESERVED_EVENT_TYPE);
    expect(fieldType("payload")).toMatchObject({
      fields: sent.map((type) => ({ name: symbolOfEventType(type) })),
    });
  });

  it("are found again by their symbol", () => {
    expect(EVENT_TYPES.map(symbolOfEventType).map(eventTypeOfSymbol)).toEqual(EVENT_TYPES);
    expect(eventTypeOfSymbol("unrecognized")).toBeNull();
  });
});
