import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { projectRoot } from "../../../infra/project-root.ts";

export const KUBERNETES_FOLDER = join(projectRoot, "infra", "kubernetes");
export const CHART_FOLDER = join(KUBERNETES_FOLDER, "chart");

const names = z.array(z.string()).default([]);

const program = z.strictObject({
  groups: names,
  variables: names,
  settings: names,
  args: z.array(z.string()).optional(),
  front: z.strictObject({ variable: z.string(), port: z.number() }).optional(),
  connections: z.number().optional(),
  mostCopies: z.number().optional(),
  consumes: z.array(z.strictObject({ group: z.string(), topic: z.string() })).default([]),
});

const programsFile = z.strictObject({
  groups: z.record(z.string(), z.array(z.string())),
  services: z.record(z.string(), program),
  jobs: z.record(z.string(), program),
});

export type Program = z.infer<typeof program>;

/** A file of infra/kubernetes as text. */
export function textOf(...path: string[]): string {
  return readFileSync(join(KUBERNETES_FOLDER, ...path), "utf8");
}

/** The documents of a YAML file of infra/kubernetes. */
export function documentsOf(...path: string[]): unknown[] {
  return parseAllDocuments(textOf(...path)).map((document) => document.toJS() as unknown);
}

/** files/programs.yaml: what the chart knows of services and jobs. */
export const programs = programsFile.parse(parse(textOf("chart", "files", "programs.yaml")));

/** One service or job of the chart. @throws {TypeError} where there is none */
export function programOf(name: string): Program {
  const found = programs.services[name] ?? programs.jobs[name];
  if (found === undefined) throw new TypeError(`the chart has no program ${name}`);
  return found;
}

/** The variables that the chart gives a program, where they have a value. */
export function variablesOf({ groups, variables, settings }: Program): string[] {
  return [...groups.flatMap((group) => programs.groups[group] ?? []), ...variables, ...settings];
}
