import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { projectRoot } from "../project-root.ts";

/** The folder of the rules and their unit tests, from the project's root. */
export const ALERTS = "infra/monitoring/alerts";

const alert = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(["warning", "critical"]) }),
  annotations: z.strictObject({
    summary: z.string().min(1),
    description: z.string().min(1),
    runbook_url: z.string(),
  }),
});
const record = z.strictObject({ record: z.string(), expr: z.string() });
const ruleFile = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(z.union([alert, record])) })),
});

const labelled = z.object({ exp_labels: z.looseObject({ severity: z.string() }) });
const testFile = z.looseObject({
  tests: z.array(
    z.looseObject({
      name: z.string(),
      alert_rule_test: z.array(
        z.looseObject({ alertname: z.string(), exp_alerts: z.array(labelled) }),
      ),
    }),
  ),
});

export type Alert = z.output<typeof alert>;
export type RecordingRule = z.output<typeof record>;

function read<T>(suffix: string, shape: z.ZodType<T>): T[] {
  const folder = join(projectRoot, ALERTS);
  return alertFiles(suffix).map((name) =>
    shape.parse(parse(readFileSync(join(folder, name), "utf8"))),
  );
}

/** The names of the files with this ending. */
export function alertFiles(suffix: string): string[] {
  return readdirSync(join(projectRoot, ALERTS)).filter((name) => name.endsWith(suffix));
}

export function readRules(): { alerts: Alert[]; records: RecordingRule[] } {
  const rules = read(".rules.yml", ruleFile).flatMap(({ groups }) =>
    groups.flatMap((group) => group.rules),
  );
  return {
    alerts: rules.filter((rule) => "alert" in rule),
    records: rules.filter((rule) => "record" in rule),
  };
}

/** What the unit tests expect at some time: the severities with which an alert fires, none where it does not. */
export interface Expectation {
  readonly alert: string;
  readonly severities: readonly string[];
}

export function readExpectations(): Expectation[] {
  return read(".test.yml", testFile)
    .flatMap(({ tests }) => tests.flatMap((test) => test.alert_rule_test))
    .map(({ alertname, exp_alerts }) => ({
      alert: alertname,
      severities: exp_alerts.map(({ exp_labels }) => exp_labels.severity),
    }));
}
