import { describe, expect, it } from "@jest/globals";
import { buildEvent } from "../../../../test/support/orders/event-factory.ts";
import { SENT_EVENT_TYPES } from "../../../messages/events.ts";
import { contextJson, withoutFigures, type EventContext } from "./event-context.ts";
import { toStorable } from "./storable-event.ts";

const CONTEXT: EventContext = {
  provider: "sandbox",
  losing_carrier: "Acme Telecom",
  number_type: "local",
  country_code: "US",
  rejection: { code: "other", slug: null, text: "a\0b" },
  occurred_at: new Date("2026-11-01T08:00:00Z"),
  actor: "carrier",
};

describe("Event envelope: the optional fields are for analytics, never in webhooks", () => {
  it.each(SENT_EVENT_TYPES)("the bytes of %s are the same with and without them", (type) => {
    const told = toStorable(buildEvent(type, { context: CONTEXT }));
    expect(told.body.equals(toStorable(buildEvent(type)).body)).toBe(true);
    expect(told.context).not.toBeNull();
  });

  it("are kept as JSON that Postgres reads, without what is unknown", () => {
    expect(JSON.parse(contextJson(buildEvent("call.missed", { context: CONTEXT })) ?? "")).toEqual({
      ...CONTEXT,
      rejection: { code: "other", text: "ab" },
      occurred_at: "2026-11-01T08:00:00.000Z",
    });
    expect(contextJson(buildEvent("call.missed"))).toBeNull();
  });

  it("never keep an event out of the log: what cannot be read is left out", () => {
    const event = buildEvent("call.missed", { context: CONTEXT });
    const broken = { ...event, occurred_at: 9e15, actor: "unrecognized" } as const;
    const kept: unknown = JSON.parse(contextJson(broken) ?? "");
    expect(kept).not.toHaveProperty("occurred_at");
    expect(kept).not.toHaveProperty("actor");
  });
});

describe("a reason in words", () => {
  it.each([
    ["PIN 4711 is wrong,\n call +1 212", "PIN ••• is wrong, call ••• •••"],
    ["account:ab-12", "•••"],
    ["४७११", "•••"],
    ["Name differs", "Name differs"],
    [" ", null],
    [null, null],
  ])("%j is told as %j", (text, told) => {
    expect(withoutFigures(text)).toBe(told);
  });
});
