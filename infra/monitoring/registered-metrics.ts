import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { createMetrics } from "../../services/platform/metrics.ts";
import { projectRoot } from "../project-root.ts";

/** The methods of `Metrics` that register, and what Prometheus calls their kind. */
const KINDS: Readonly<Record<string, string>> = {
  counter: "counter",
  gauge: "gauge",
  histogram: "histogram",
  tracedHistogram: "histogram",
};

const REGISTERS = /\.(counter|gauge|histogram|tracedHistogram)\(/;

/** The metrics of all services by name, with their kind: those that the source registers, and Node's own. */
export async function registeredMetrics(): Promise<ReadonlyMap<string, string>> {
  const { text } = await createMetrics("any").page();
  const ofNode = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
    ([, name = "", kind = ""]) => [name, kind] as const,
  );
  return new Map([...ofNode, ...sourcesOfServices().flatMap(registeredIn)]);
}

/** The source files of the services that run in Node. */
export function sourcesOfServices(): string[] {
  const folder = join(projectRoot, "services");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$|^web\//.test(name))
    .map((name) => join(folder, name));
}

function registeredIn(path: string): (readonly [name: string, kind: string])[] {
  const text = readFileSync(path, "utf8");
  if (!REGISTERS.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: (readonly [string, string])[] = [];
  const visit = (node: ts.Node): void => {
    const kind = kindOf(node);
    if (kind !== undefined) found.push([nameOf(node as ts.CallExpression, source), kind]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function kindOf(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  return KINDS[node.expression.name.text];
}

/** @throws where the name is not a literal: then nobody could find it in the source either */
function nameOf({ arguments: [options] }: ts.CallExpression, source: ts.SourceFile): string {
  const properties = options && ts.isObjectLiteralExpression(options) ? options.properties : [];
  for (const property of properties) {
    if (!ts.isPropertyAssignment(property) || property.name.getText(source) !== "name") continue;
    if (ts.isStringLiteral(property.initializer)) return property.initializer.text;
  }
  throw new TypeError(`${source.fileName}: a metric is registered without a literal name`);
}

/** The names of a metric's series in Prometheus. */
export function seriesOf(name: string, kind: string): string[] {
  if (kind !== "histogram") return [name];
  return ["bucket", "sum", "count"].map((part) => `${name}_${part}`);
}
