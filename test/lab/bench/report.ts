import type { Area } from "./bench.ts";
import { isOfPeer, ratioOf, rounded, targetText, verdictOf, type Compared } from "./figure.ts";
import { withKeys, type HistoryLine, type RecordedFigure } from "./history.ts";

const HEAD = ["Figure", "Median", "Min to max", "Floor", "Peer", "Ratio", "Target", ""];
const INTRODUCTION = `# Figures

Made by \`npm run bench\`: the latest figures of each benchmark; \`npm run bench -- <name>\` measures one again. What it
measured before stands in [history.ndjson](history.ndjson). Of several runs the one in the middle is shown, with the least
and the most. The floor is the same work without us on the same machine in the same run, the peer the best of the
programs that a team could use instead; a ratio is to the peer where that is the target, and to the floor otherwise.

Webhooks: one local receiver with a port per endpoint; each system runs alone, with a new Postgres that flushes to disk,
and every event is committed by itself. Ours is the whole product with Kafka and the registry. A peer is one worker process
with the smallest job that POSTs the body with the same signature and records the attempt in Postgres. CPU and memory are
those of all processes except the receiver and the producer of the events.
`;

/** Above this, what other programs used may have changed the figures. */
const DISTURBED_PERCENT = 10;

/** A benchmark as the report names it. */
export interface ReportedBench {
  readonly name: string;
  readonly area: Area;
  /** Not among those that are run together. */
  readonly isNamedOnly?: true;
}

/** The newest line of each benchmark. */
function newest(history: readonly HistoryLine[]): ReadonlyMap<string, HistoryLine> {
  return new Map(history.map((line) => [line.bench, line]));
}

/** The report: a section for each area, with the benchmarks in their order; those that never ran are named. */
export function reportOf(
  history: readonly HistoryLine[],
  benches: readonly ReportedBench[],
): string {
  const lines = newest(history);
  const areas = [...new Set(benches.map(({ area }) => area))];
  const sections = areas.map((area) => {
    const parts = benches
      .filter((bench) => bench.area === area)
      .map(({ name }) => benchText(name, lines.get(name)));
    return `\n## ${area}\n\n${parts.join("\n\n")}\n`;
  });
  const together = benches.filter(({ isNamedOnly = false }) => !isNamedOnly);
  return (
    INTRODUCTION +
    timeText(together.map(({ name }) => lines.get(name)?.seconds)) +
    sections.join("")
  );
}

/** How long the benchmarks that are run together took, those whose time was recorded. */
function timeText(seconds: readonly (number | undefined)[]): string {
  const known = seconds.filter((one) => one !== undefined);
  const minutes = known.reduce((sum, one) => sum + one, 0) / 60;
  if (known.length === 0) return "";
  return `\nBenchmarks with a recorded time: ${known.length}; together ${minutes.toFixed(0)} min.\n`;
}

function benchText(name: string, line: HistoryLine | undefined): string {
  if (line === undefined) return `### ${name}\n\nNot measured yet.`;
  return `### ${name}\n\n${conditions(line)}\n\n${tableOf(line.figures)}`;
}

/** Where and when it ran. */
export function conditions(line: HistoryLine): string {
  const { cores, node, at, commit, runs, foreign_percent: foreign, seconds } = line;
  const others =
    foreign === null
      ? "what other programs used was not recorded"
      : `other programs used ${foreign.toFixed(0)} % of a core${foreign > DISTURBED_PERCENT ? ": DISTURBED" : ""}`;
  const often = runs === 1 ? "one run" : `${runs} runs`;
  const length = seconds === undefined ? "" : ` in ${seconds} s`;
  return `${at}, commit ${commit}; ${often}${length}; ${cores} cores, shared by all processes; Node ${node}; ${others}.`;
}

export function tableOf(figures: readonly RecordedFigure[]): string {
  return markdown(HEAD, figures.map(rowOf));
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, head.map(() => "---"), ...rows];
  return all.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const JUDGED = ["Figure", "Measured", "Compared with", "Ratio", "Target", "", "Measured on"];
const LAST_MEASURED = "## Last measured\n\n";

/** The page of the documentation, ending with the newest figures that have a target. */
export function withLastMeasured(page: string, history: readonly HistoryLine[]): string {
  const [before = ""] = page.split(LAST_MEASURED);
  const rows = [...newest(history).values()].flatMap(({ at, figures }) =>
    withKeys(figures)
      .filter(({ figure }) => verdictOf(figure) !== null)
      .map(({ key, figure }) => {
        const [, measured = "", , floor = "", peer = "", ratio = "", ...judged] = rowOf(figure);
        const compared = [floor, peer].filter((text) => text !== "").join("; ");
        return [key, measured, compared, ratio, ...judged, at];
      }),
  );
  return `${before}${LAST_MEASURED}${markdown(JUDGED, rows)}\n`;
}

function comparedText(compared: Compared | undefined): string {
  return compared === undefined ? "" : `${rounded(compared.measured)} (${compared.what})`;
}

/** To the peer as a multiple, to the floor in percent. */
function ratioText(figure: RecordedFigure): string {
  const ratio = ratioOf(figure);
  if (ratio === null) return "";
  return isOfPeer(figure.target)
    ? `${ratio.toFixed(2)} ×`
    : `${Number((ratio * 100).toPrecision(3))} %`;
}

/** A name below another is indented by what Markdown keeps. */
function nameText(name: string): string {
  return name.startsWith(" ") ? `· ${name.trim()}` : name;
}

function rowOf(figure: RecordedFigure): string[] {
  const { name, measured, unit, least, most, floor, peer, target } = figure;
  return [
    nameText(name),
    `${rounded(measured)} ${unit}`.trim(),
    least === most ? "" : `${rounded(least)} to ${rounded(most)}`,
    comparedText(floor),
    comparedText(peer),
    ratioText(figure),
    targetText(target),
    verdictOf(figure) ?? "",
  ];
}
