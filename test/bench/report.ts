import { withReportSection } from "../support/docs/report-sections.ts";
import { rowOf, type Figure } from "./figure.ts";

const HEAD = ["Figure", "Measured", "Floor in the same run", "Ratio", "Target", ""];
const TITLE =
  "# Figures\n\nThe latest run of each benchmark. `npm run bench -- <name>` runs one of them, `npm run bench` all.\n";

export function tableOf(figures: readonly Figure[]): string {
  const rows = [HEAD, HEAD.map(() => "---"), ...figures.map(rowOf)];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export interface Section {
  /** The benchmark's name. */
  readonly name: string;
  /** Where and when it ran. */
  readonly madeOn: string;
  readonly figures: readonly Figure[];
}

/** The report with a benchmark's section replaced; sections are in the order of `names`. */
export function withSection(
  report: string,
  { name, madeOn, figures }: Section,
  names: readonly string[],
): string {
  const body = `${madeOn}\n\n${tableOf(figures)}`;
  return withReportSection(report, { name, body }, { head: TITLE, names });
}
