import { describe, expect, it } from "@jest/globals";
import { delayOf } from "./kit.ts";

const FINE = {
  outbox: { status: "ok", depth: 3, oldest_age_seconds: 0.2 },
  consumer_groups: [{ group: "carrier-adapter", lag: 1, status: "ok" }],
};

describe("the service's own delay", () => {
  it("is not mentioned where there is none, or where the health cannot be read", () => {
    expect(delayOf(FINE)).toBeNull();
    expect(delayOf({ ...FINE, consumer_groups: null })).toBeNull();
    expect(delayOf({ title: "Forbidden" })).toBeNull();
  });

  it("names what waits", () => {
    const outbox = { status: "stuck", depth: 41, oldest_age_seconds: 180.4 };
    expect(delayOf({ ...FINE, outbox })).toContain(
      "(its outbox holds 41 messages, the oldest for 180 s)",
    );
    const group = { group: "order-lifecycle", lag: 25_000, status: "stuck" };
    expect(delayOf({ ...FINE, consumer_groups: [group] })).toContain(
      "(order-lifecycle has 25000 messages to read)",
    );
  });
});
