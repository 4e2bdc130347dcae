import { bars, legend } from "./charts.ts";
import { duration } from "./format.ts";
import type { Html } from "./html.ts";

/** How long something took, in seconds. */
export interface Spread {
  readonly label: string;
  readonly median: number;
  readonly p90: number;
  /** Of how many: "24 orders". */
  readonly of: string;
}

/** A bar for each, up to its median and on to what 90 % are within. */
export function medianBars(spreads: readonly Spread[]): Html {
  const longest = Math.max(...spreads.map(({ p90 }) => p90)) || 1;
  return bars(
    spreads.map(({ label, median, p90, of }) => {
      const [half, most] = [`median ${duration(median)}`, `90 % within ${duration(p90)}`];
      return {
        label,
        value: half,
        note: `${most}, ${of}`,
        segments: [
          { share: median / longest, tone: "main", title: half },
          { share: (p90 - median) / longest, tone: "soft", title: most },
        ],
      };
    }),
  );
}

export const MEDIAN_LEGEND = legend([
  { tone: "main", label: "Median" },
  { tone: "soft", label: "90 % within" },
]);
