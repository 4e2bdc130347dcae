import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { z } from "zod";

const PHASES = ["examples", "coverage", "fuzzing", "stateful"] as const;
export type Phase = (typeof PHASES)[number];

const verdict = z.looseObject({
  complete: z.boolean(),
  exit_code: z.int(),
  operations: z.looseObject({ total: z.int(), tested: z.int(), errored: z.int() }),
  phases: z.record(z.enum(PHASES), z.looseObject({ status: z.string() })),
  failures: z.array(z.unknown()),
});

const scenario = z.looseObject({
  ScenarioFinished: z.looseObject({
    phase: z.enum(PHASES),
    recorder: z.looseObject({
      cases: z
        .record(
          z.string(),
          z.looseObject({
            value: z.looseObject({ method: z.string(), path: z.string() }),
            is_transition_applied: z.boolean().optional(),
            transition: z.looseObject({ id: z.string() }).nullish(),
          }),
        )
        .default({}),
      interactions: z
        .record(
          z.string(),
          z.looseObject({ response: z.looseObject({ status_code: z.int() }).nullish() }),
        )
        .default({}),
    }),
  }),
});

/** The counts of one phase. */
export interface PhaseCounts {
  cases: number;
  /** Method and path. */
  readonly operations: Set<string>;
  /** Operations that were answered with a status below 300. */
  readonly succeeded: Set<string>;
  /** Links that were followed with values of an answer. */
  readonly links: Set<string>;
}

export interface SchemathesisReport {
  readonly verdict: z.output<typeof verdict>;
  readonly phases: Readonly<Record<Phase, PhaseCounts>>;
  /** The program's output. */
  readonly text: string;
}

/** The part of a run's output that lists its findings, without the progress above it. */
export function faultsIn(text: string): string {
  const at = text.search(/^=+ (?:ERRORS|FAILURES) =+$/mu);
  return at < 0 ? text : text.slice(at);
}

function noCounts(): PhaseCounts {
  return { cases: 0, operations: new Set(), succeeded: new Set(), links: new Set() };
}

/** Reads the verdict (JSON) and the events (NDJSON) that a run has written. */
export async function readReport(
  files: { readonly json: string; readonly ndjson: string },
  text: string,
): Promise<SchemathesisReport> {
  const phases = {
    examples: noCounts(),
    coverage: noCounts(),
    fuzzing: noCounts(),
    stateful: noCounts(),
  };
  for await (const line of createInterface({ input: createReadStream(files.ndjson) })) {
    if (line.startsWith('{"ScenarioFinished"')) count(phases, line);
  }
  const json: unknown = JSON.parse(await readFile(files.json, "utf8"));
  return { verdict: verdict.parse(json), phases, text };
}

function count(phases: Readonly<Record<Phase, PhaseCounts>>, line: string): void {
  const { phase, recorder } = scenario.parse(JSON.parse(line)).ScenarioFinished;
  const counts = phases[phase];
  for (const [id, { value, transition, is_transition_applied }] of Object.entries(recorder.cases)) {
    const operation = `${value.method} ${value.path}`;
    const status = recorder.interactions[id]?.response?.status_code;
    counts.cases += 1;
    counts.operations.add(operation);
    if (status !== undefined && status < 300) counts.succeeded.add(operation);
    if (is_transition_applied === true && transition != null) counts.links.add(transition.id);
  }
}
