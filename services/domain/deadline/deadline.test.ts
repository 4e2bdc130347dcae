import { describe, expect, it } from "@jest/globals";
import { dueKinds } from "./deadline.ts";

const NOW = new Date("2026-11-02T09:00:00.000Z");
const HOUR_MS = 3_600_000;
const SPANS = {
  draft_expiry: 3 * HOUR_MS,
  rejection_expiry: 2 * HOUR_MS,
  foc_grace: HOUR_MS,
  carrier_silence: HOUR_MS / 2,
  date_confirmation: HOUR_MS / 4,
};

describe("the deadlines that are due (docs/contract/customer-api.md, Transitions)", () => {
  it("are dates that have come, and waits that began a whole span ago", () => {
    expect(dueKinds(NOW, SPANS)).toEqual([
      { kind: "foc_reached", until: NOW },
      { kind: "draft_expiry", until: new Date("2026-11-02T06:00:00.000Z") },
      { kind: "rejection_expiry", until: new Date("2026-11-02T07:00:00.000Z") },
      { kind: "foc_grace", until: new Date("2026-11-02T08:00:00.000Z") },
      { kind: "carrier_silence", until: new Date("2026-11-02T08:30:00.000Z") },
      { kind: "date_confirmation", until: new Date("2026-11-02T08:45:00.000Z") },
    ]);
  });

  it("are never those of a span of 0, which is off: no draft is deleted, no rejection closed", () => {
    const waits = { foc_grace: 0, carrier_silence: 0, date_confirmation: 0 };
    const off = { draft_expiry: 0, rejection_expiry: 0, ...waits };
    expect(dueKinds(NOW, off)).toEqual([{ kind: "foc_reached", until: NOW }]);
  });
});
