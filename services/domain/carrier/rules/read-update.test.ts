import { describe, expect, it } from "@jest/globals";
import { buildCarrierUpdate } from "../../../../test/support/carriers/carrier-update-factory.ts";
import { readUpdate } from "./read-update.ts";

describe("a carrier's update as order-lifecycle receives it", () => {
  it.each([
    ["2026-12-15T10:00+0100", "2026-12-15T10:00:00+01:00"],
    ["2026-12-15T10:00:00-05:00", "2026-12-15T10:00:00-05:00"],
    [null, null],
  ])("has its port date in the extended form, with its offset: %s", (foc_at, extended) => {
    const update = buildCarrierUpdate({ kind: "date_confirmed", foc_at });
    expect(readUpdate(new Map(), update).foc_at).toBe(extended);
  });
});
