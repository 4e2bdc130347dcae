import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ratioOf, type Figure, type Target } from "./figure.ts";

const compared = z.object({ what: z.string(), measured: z.number() });
const bound = { accept: z.number(), goal: z.number().exactOptional() };

const target: z.ZodType<Target> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal(["at_least", "at_most"]), ...bound }),
  z.object({ kind: z.literal(["at_least_of_floor", "at_most_of_floor"]), ...bound }),
  z.object({ kind: z.literal(["at_least_of_peer", "at_most_of_peer"]), ...bound }),
  z.object({ kind: z.literal("reported") }),
]);

/** A figure of several runs: all of the run in the middle, with the least and the most that was measured. */
const recordedFigure = z.object({
  name: z.string(),
  measured: z.number(),
  unit: z.string(),
  floor: compared.exactOptional(),
  peer: compared.exactOptional(),
  target,
  least: z.number(),
  most: z.number(),
});

export type RecordedFigure = z.infer<typeof recordedFigure>;

interface Keyed {
  readonly key: string;
  readonly figure: Figure;
}

/** Indented names, such as `  p99`, repeat below each figure that they belong to. */
export function withKeys<F extends { readonly name: string }>(
  figures: readonly F[],
): { readonly key: string; readonly figure: F }[] {
  let above = "";
  return figures.map((figure) => {
    const isBelow = figure.name.startsWith(" ");
    if (!isBelow) above = figure.name;
    return { key: isBelow ? `${above}: ${figure.name.trim()}` : figure.name, figure };
  });
}

/** Ratios are of one run: never one run's figure over another's floor. */
function middle(figures: readonly Figure[]): Figure | undefined {
  const judged = (figure: Figure): number => ratioOf(figure) ?? figure.measured;
  return figures.toSorted((a, b) => judged(a) - judged(b))[Math.floor((figures.length - 1) / 2)];
}

/** One figure of each name, in the order of the first run. */
export function recordRuns(runs: readonly (readonly Figure[])[]): RecordedFigure[] {
  const [first = [], ...others] = runs.map((figures): Keyed[] => withKeys(figures));
  return first.flatMap(({ key, figure }) => {
    const same = others.flatMap((run) => run.filter((other) => other.key === key));
    const all = [figure, ...same.map((other) => other.figure)];
    const values = all.map(({ measured }) => measured);
    const chosen = middle(all);
    if (chosen === undefined) return [];
    return [{ ...chosen, least: Math.min(...values), most: Math.max(...values) }];
  });
}

/** Every benchmark that was ever run for the report: a line each, oldest first. */
const HISTORY = join("test", "lab", "bench", "history.ndjson");

const historyLine = z.object({
  /** The benchmark's name. */
  bench: z.string(),
  at: z.iso.date(),
  /** The short hash of the commit that was measured, with `+` where files had changed since. */
  commit: z.string(),
  /** How often it was measured. */
  runs: z.number(),
  node: z.string(),
  cores: z.number(),
  /** CPU that other programs used meanwhile, in percent of a core; null where it was not recorded. */
  foreign_percent: z.number().nullable(),
  /** How long all runs took together; absent in old lines. */
  seconds: z.number().optional(),
  figures: z.array(recordedFigure),
});

export type HistoryLine = z.infer<typeof historyLine>;

/** @throws where a line is not one of ours */
export function readHistory(root: string): HistoryLine[] {
  const path = join(root, HISTORY);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line) => (line === "" ? [] : [historyLine.parse(JSON.parse(line))]));
}

export function addToHistory(root: string, line: HistoryLine): void {
  appendFileSync(join(root, HISTORY), `${JSON.stringify(line)}\n`);
}
