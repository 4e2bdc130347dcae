import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { CHART_FOLDER, KUBERNETES_FOLDER } from "./chart-files.ts";
import { helmProgram } from "./helm.ts";

const run = promisify(execFile);
const MOST_OUTPUT = 16 * 1024 * 1024;

const resource = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()).default({}),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
});

export type Resource = z.infer<typeof resource>;

export interface Rendering {
  /** A file of infra/kubernetes/examples. */
  readonly values?: string;
  /** Further values, by their path: `kafka.topics.grantRights`, and as JSON. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** The arguments by which Helm is given the values. */
function valuesArguments({ values, set = {} }: Rendering): string[] {
  return [
    ...(values === undefined ? [] : ["--values", join(KUBERNETES_FOLDER, "examples", values)]),
    ...Object.entries(set).flatMap(([path, value]) => [
      "--set-json",
      `${path}=${JSON.stringify(value)}`,
    ]),
  ];
}

async function helm(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(await helmProgram(), args, { maxBuffer: MOST_OUTPUT });
  return stdout;
}

/** What Helm would create, as text. @throws with Helm's own error where it refuses the values */
export function renderText(rendering: Rendering = {}): Promise<string> {
  return helm(
    "template",
    "porting",
    CHART_FOLDER,
    "--namespace",
    "porting",
    ...valuesArguments(rendering),
  );
}

/** What Helm says after an installation. */
export async function renderNotes(rendering: Rendering): Promise<string> {
  const install = [
    "install",
    "porting",
    CHART_FOLDER,
    "--namespace",
    "porting",
    "--dry-run=client",
  ];
  const text = await helm(...install, ...valuesArguments(rendering));
  return text.slice(text.indexOf("\nNOTES:"));
}

/** What Helm would create. */
export async function render(rendering: Rendering = {}): Promise<Resource[]> {
  const documents = parseAllDocuments(await renderText(rendering), { uniqueKeys: true });
  const faults = documents.flatMap(({ errors }) => errors);
  if (faults[0] !== undefined) throw faults[0];
  const contents = documents.map((document) => document.toJS() as unknown);
  return contents.filter((content) => content !== null).map((content) => resource.parse(content));
}

/** Why Helm refuses the values. @throws where it accepts them */
export async function refusalOf(rendering: Rendering): Promise<string> {
  const outcome = await renderText(rendering).then(
    (text) => ({ text }),
    (error: unknown) => ({ refusal: String((error as { stderr?: unknown }).stderr) }),
  );
  if ("refusal" in outcome) return outcome.refusal;
  throw new Error(`Helm did not refuse the values: ${outcome.text.slice(0, 200)}`);
}

/** Helm's own findings, as errors. */
export function lint(rendering: Rendering): Promise<string> {
  return helm("lint", CHART_FOLDER, "--strict", ...valuesArguments(rendering));
}
