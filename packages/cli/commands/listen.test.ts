import pc from "picocolors";
import { describe, expect, it } from "@jest/globals";
import type { PortingEvent } from "../../client/feed.ts";
import { showExchange } from "./listen.ts";

const event = {
  id: "0198c0de",
  type: "loa.signed",
  created_at: "2026-03-02T14:00:00.000Z",
} as PortingEvent;
const style = { paint: pc.createColors(false) };
const HEAD = "2026-03-02 14:00:00Z  loa.signed  0198c0de";

describe("an exchange", () => {
  it.each([
    [null, HEAD],
    [{ status: 204, duration_ms: 7, response_body: "" }, `${HEAD}  → 204 in 7 ms`],
    [
      { status: 500, duration_ms: 7, response_body: "Oops:\n  no" },
      `${HEAD}  → 500 in 7 ms: Oops: no`,
    ],
    [{ error: "connect ECONNREFUSED", duration_ms: 1 }, `${HEAD}  → connect ECONNREFUSED`],
  ])("%j is one line", (exchange, line) => {
    expect(showExchange(event, exchange, style)).toBe(line);
  });
});
