import { describe, expect, it } from "@jest/globals";
import { patchEndpoint, type Endpoint } from "./endpoint.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const endpoint: Endpoint = {
  id: "0195c000-0000-7000-8000-000000000001",
  url: "https://example.com/hook",
  description: "first",
  enabled_events: ["loa.signed"],
  active: true,
  max_per_second: 5,
  paused_by: null,
  paused_reason: null,
  created_at: new Date(0),
  updated_at: new Date(0),
  last_success_at: null,
  last_failure_at: null,
  consecutive_failures: 3,
};

describe("a PATCH of an endpoint", () => {
  it("changes the given fields and nothing else", () => {
    const patched = patchEndpoint(endpoint, { description: null, max_per_second: null }, now);
    expect(patched.endpoint).toEqual({
      ...endpoint,
      description: null,
      max_per_second: null,
      updated_at: now,
    });
    expect(patched.paused || patched.resumed).toBe(false);
  });

  it("records a pause as the customer's", () => {
    const { endpoint: after, paused } = patchEndpoint(endpoint, { active: false }, now);
    expect(paused).toBe(true);
    expect(after).toMatchObject({ active: false, paused_by: "customer", consecutive_failures: 3 });
  });

  it("keeps the system's pause when the customer pauses it again", () => {
    const before: Endpoint = {
      ...endpoint,
      active: false,
      paused_by: "system",
      paused_reason: "x",
    };
    const { endpoint: after, paused } = patchEndpoint(before, { active: false }, now);
    expect(paused).toBe(false);
    expect(after).toMatchObject({ paused_by: "system", paused_reason: "x" });
  });

  it("resets the failure count on resume", () => {
    const before: Endpoint = {
      ...endpoint,
      active: false,
      paused_by: "system",
      paused_reason: "x",
    };
    const { endpoint: after, resumed } = patchEndpoint(before, { active: true }, now);
    expect(resumed).toBe(true);
    expect(after).toMatchObject({
      active: true,
      paused_by: null,
      paused_reason: null,
      consecutive_failures: 0,
    });
  });
});
