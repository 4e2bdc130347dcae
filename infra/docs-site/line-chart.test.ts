import { describe, expect, it } from "@jest/globals";
import { drawLineChart, readPoints } from "./line-chart.ts";

const chart = { title: "rate <1>", unit: "/s", bound: null, points: [] };

describe("a line chart of the docs site", () => {
  it("is read from labels and values", () => {
    expect(readPoints("2026-11-21, commit abc 1200\n2026-11-23 0.5")).toEqual([
      { label: "2026-11-21, commit abc", value: 1_200 },
      { label: "2026-11-23", value: 0.5 },
    ]);
    expect(() => readPoints("2026-11-21 many")).toThrow("no point");
  });

  it("has its points from left to right, higher values further up, and its bound", () => {
    const points = readPoints("a 10\nb 20");
    const svg = drawLineChart({ ...chart, bound: 15, points });
    const [, path = ""] = /<polyline points="([^"]+)"/.exec(svg) ?? [];
    const [[left = 0, low = 0] = [], [right = 0, high = 0] = []] = path
      .split(" ")
      .map((point) => point.split(",").map(Number));
    expect(left).toBeLessThan(right);
    expect(high).toBeLessThan(low);
    const [, at] = /y1="([\d.]+)" y2="[\d.]+" class="bound"/.exec(svg) ?? [];
    expect(Number(at)).toBeGreaterThan(high);
    expect(Number(at)).toBeLessThan(low);
  });

  it("says in words what it shows, with names escaped", () => {
    const svg = drawLineChart({ ...chart, points: readPoints("a 10\nb 20") });
    expect(svg).toContain(
      'aria-label="rate &lt;1&gt;: 10 /s at first, 20 /s at last, in 2 measurements"',
    );
    expect(svg).toContain("<title>b: 20 /s</title>");
    expect(svg).not.toContain("NaN");
  });

  it("can show a single point, or nothing but zeros", () => {
    expect(drawLineChart({ ...chart, points: readPoints("a 0") })).not.toMatch(/NaN|Infinity/);
  });
});
