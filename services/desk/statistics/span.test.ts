import { describe, expect, it } from "@jest/globals";
import { spanOf, statisticsQuery } from "./routes.ts";

const NOW = new Date("2026-03-31T12:00:00.000Z");

function span(query: Readonly<Record<string, string>>): readonly string[] {
  const { from, to } = spanOf(statisticsQuery.parse(query), NOW);
  return [from.toISOString(), to.toISOString()];
}

describe("the range of statistics", () => {
  it("has whole days in UTC, and times as they are", () => {
    expect(span({ from: "2026-03-01", to: "2026-03-31" })).toEqual([
      "2026-03-01T00:00:00.000Z",
      "2026-04-01T00:00:00.000Z",
    ]);
    expect(span({ from: "2026-03-01T10:00:00+01:00", to: "2026-03-01T10:00:00Z" })).toEqual([
      "2026-03-01T09:00:00.000Z",
      "2026-03-01T10:00:00.000Z",
    ]);
  });

  it("is the last thirty days unless given", () => {
    expect(span({})).toEqual(["2026-03-01T12:00:00.000Z", NOW.toISOString()]);
  });

  it("is neither empty nor longer than 366 days", () => {
    const refused = (query: Readonly<Record<string, string>>, parameter: string): void =>
      expect(() => span(query)).toThrow(
        expect.objectContaining({
          code: "invalid_parameter",
          faults: [expect.objectContaining({ parameter })],
        }),
      );
    refused({ from: "2026-03-02", to: "2026-03-01" }, "to");
    refused({ from: "2026-03-01T00:00:00Z", to: "2026-03-01T00:00:00Z" }, "to");
    refused({ from: "2025-03-31", to: "2026-04-01" }, "from");
    expect(span({ from: "2025-03-31", to: "2026-03-31" })).toHaveLength(2);
  });

  it("refuses what is neither a day nor a time", () => {
    expect(statisticsQuery.safeParse({ from: "2026-02-30" }).success).toBe(false);
    expect(statisticsQuery.safeParse({ to: "soon" }).success).toBe(false);
  });
});
