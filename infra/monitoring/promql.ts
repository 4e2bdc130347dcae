import { parser } from "@prometheus-io/lezer-promql";

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
