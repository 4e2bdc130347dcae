import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { createMetrics } from "../../services/platform/metrics.ts";
import { projectRoot } from "../project-root.ts";

/** A call of a method of `Metrics` that registers, with the name where it is the first of the options and a literal. */
const REGISTERS =
  /\.(counter|gauge|histogram|tracedHistogram)(?:<[^()]*>)?\((?:\s*\{\s*name: "([^"]+)")?/g;

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

/** @throws where the name is not a literal: then nobody could find it in the source either */
function registeredIn(path: string): (readonly [name: string, kind: string])[] {
  return [...readFileSync(path, "utf8").matchAll(REGISTERS)].map(([, method = "", name]) => {
    if (name !== undefined) return [name, method === "tracedHistogram" ? "histogram" : method];
    throw new TypeError(
      `${path}: a metric is registered without a literal name as its first option`,
    );
  });
}

/** The names of a metric's series in Prometheus. */
export function seriesOf(name: string, kind: string): string[] {
  if (kind !== "histogram") return [name];
  return ["bucket", "sum", "count"].map((part) => `${name}_${part}`);
}

/** What Grafana puts into a query before Prometheus sees it. */
const GRAFANA_WINDOW = /\$__(rate_interval|interval|range)/g;

/** The names of the series that a PromQL expression reads. @throws where it is not valid PromQL */
export function seriesIn(expression: string): string[] {
  const query = expression.replaceAll(GRAFANA_WINDOW, "5m");
  const names: string[] = [];
  parser.parse(query).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new SyntaxError(`not PromQL at character ${from}: ${query}`);
      if (type.name !== "VectorSelector") return;
      const name = node.getChild("Identifier");
      if (name === null)
        throw new SyntaxError(`a selector names no metric: ${query.slice(from, to)}`);
      names.push(query.slice(name.from, name.to));
    },
  });
  return [...new Set(names)];
}
