import { targetText, verdictOf, type Figure } from "../bench/figure.ts";
import { withReportSection } from "../../support/docs/report-sections.ts";
import type { Scenario } from "./scenario.ts";
import type { ScenarioResult } from "./run-scenario.ts";

/** What the report says of a scenario beside what it found. */
export type Described = Pick<Scenario, "name" | "what" | "faults" | "promises">;

const HEAD = `# Faults

The latest run of each scenario. \`npm run faults -- --scenario <name>\` runs one of them, \`--all\` all, and replaces what is
here; \`npm run faults:clusters\` those of several brokers and copies, which stand last. Each runs on a product of its own, under load, and ends with a check of its whole history: orders, events, feeds, topics,
webhooks, calls, port-outs and numbers. What each fault and promise is, and which tests hold it:
[how faults are tested](../../../docs/operations.md#how-faults-are-tested).
`;
const COLUMNS = ["Figure", "Measured", "Target", ""];
const SHOWN = 5;

/** A scenario's outcome: its result, or why it could not come to an end. */
export type Outcome = ScenarioResult | { readonly failure: string };

function valueOf({ measured, unit }: Figure): string {
  const digits = Number.isInteger(measured) || measured >= 100 ? 0 : 2;
  const number = measured.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${number} ${unit}`.trim();
}

function rowOf(figure: Figure): string[] {
  return [figure.name, valueOf(figure), targetText(figure.target), verdictOf(figure) ?? ""];
}

/** The figures as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = [COLUMNS, COLUMNS.map(() => "---"), ...figures.map(rowOf)];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Whether the scenario came to its end and met every target. */
export function isHeld(outcome: Outcome): boolean {
  return (
    !("failure" in outcome) && outcome.figures.every((figure) => verdictOf(figure) !== "MISSED")
  );
}

function bodyOf({ what, faults, promises }: Described, outcome: Outcome, madeOn: string): string {
  const intro = `${what[0]?.toUpperCase() ?? ""}${what.slice(1)}. ${[...faults, ...promises].join(", ")}.\n\n${madeOn}`;
  if ("failure" in outcome)
    return `${intro}\n\n**MISSED**: it did not come to an end.\n\n    ${outcome.failure.replaceAll("\n", "\n    ")}`;
  const kills = Object.entries(outcome.kills).map(([name, times]) => `${name} ${times}`);
  const killed = kills.length === 0 ? "" : `\n\nKilled: ${kills.join(", ")}.`;
  const shown = outcome.breaches.slice(0, SHOWN).map((breach) => `\n- ${breach}`);
  const breached = shown.length === 0 ? "" : `\n${shown.join("")}`;
  return `${intro}\n\n${tableOf(outcome.figures)}${killed}${breached}`;
}

export interface FaultSection {
  readonly scenario: Described;
  readonly outcome: Outcome;
  /** Where and when it ran, and with which seed. */
  readonly madeOn: string;
}

/** The report with the section of a scenario replaced. */
export function withScenario(
  report: string,
  { scenario, outcome, madeOn }: FaultSection,
  all: readonly Pick<Described, "name">[],
): string {
  const section = { name: scenario.name, body: bodyOf(scenario, outcome, madeOn) };
  return withReportSection(report, section, { head: HEAD, names: all.map(({ name }) => name) });
}
