import { targetText, verdictOf, type Target } from "../../../test/lab/bench/figure.ts";
import { readHistory, type HistoryLine } from "../../../test/lab/bench/history.ts";
import { withKeys, type RecordedFigure } from "../../../test/lab/bench/recorded-figure.ts";
import { rowOf } from "../../../test/lab/bench/report.ts";
import { projectRoot } from "../../project-root.ts";
import { markdownTable } from "./limit-tables.ts";

interface Measured {
  readonly line: HistoryLine;
  readonly figure: RecordedFigure;
}

/** Every measurement of each figure, oldest first, by the figure's key. */
function byFigure(lines: readonly HistoryLine[]): Map<string, Measured[]> {
  const found = new Map<string, Measured[]>();
  for (const line of lines) {
    for (const { key, figure } of withKeys(line.figures)) {
      found.set(key, [...(found.get(key) ?? []), { line, figure }]);
    }
  }
  return found;
}

/** A fixed bound; null for one that depends on the floor or a peer. */
function boundOf(target: Target): number | null {
  return target.kind === "at_most" || target.kind === "at_least" ? target.accept : null;
}

function chartOf(key: string, measured: readonly Measured[]): string[] {
  const last = measured.at(-1);
  if (last === undefined || measured.length < 2 || last.figure.target.kind === "reported")
    return [];
  const bound = boundOf(last.figure.target);
  const points = measured.map(
    ({ line: { at, commit }, figure }) => `${at}, commit ${commit} ${figure.measured}`,
  );
  const attributes = [
    `title="${key}"`,
    `unit="${last.figure.unit}"`,
    ...(bound === null ? [] : [`bound="${bound}"`]),
  ];
  return [`\`\`\`line-chart ${attributes.join(" ")}\n${points.join("\n")}\n\`\`\``];
}

/** The newest figures that have a target, in one table. */
function judged(lines: readonly HistoryLine[]): string {
  const newest = new Map(lines.map((line) => [line.bench, line]));
  const rows = [...newest.values()].flatMap(({ at, figures }) =>
    withKeys(figures)
      .filter(({ figure }) => verdictOf(figure) !== null)
      .map(({ key, figure }) => {
        const [, measured = "", , floor = "", peer = "", ratio = ""] = rowOf(figure);
        const compared = [floor, peer].filter((text) => text !== "").join("; ");
        const verdict = verdictOf(figure) ?? "";
        return [key, measured, compared, ratio, targetText(figure.target), verdict, at];
      }),
  );
  return markdownTable(
    ["Figure", "Measured", "Compared with", "Ratio", "Target", "", "Measured on"],
    rows,
  );
}

/** What every benchmark last measured, and a chart of each figure that was measured more than once. */
export function benchmarkHistory(): string {
  const lines = readHistory(projectRoot);
  const charts = [...byFigure(lines)].flatMap(([key, measured]) => chartOf(key, measured));
  return [judged(lines), "## Over time", ...charts].join("\n\n");
}
