import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { recordedFigure } from "./recorded-figure.ts";

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
