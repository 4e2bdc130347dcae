import { Registry, type Metric, type OpenMetricsContentType } from "prom-client";

const OPEN_METRICS = "application/openmetrics-text";
const TEXT = "text/plain";

interface Range {
  readonly type: string;
  readonly version: string;
  readonly weight: number;
}

function readRange(text: string): Range {
  const [type = "", ...parameters] = text
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const valueOf = (name: string): string | undefined =>
    parameters.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
  const weight = Number(valueOf("q") ?? 1);
  return { type, version: valueOf("version") ?? "", weight: Number.isNaN(weight) ? 0 : weight };
}

/**
 * Whether an Accept header prefers OpenMetrics 1.x to the text format, as Prometheus does. A range such as `*` names
 * no format, and a further parameter, such as Prometheus's `escaping`, excludes nothing.
 */
export function prefersOpenMetrics(accept = ""): boolean {
  const ranges = accept.split(",").map(readRange);
  const best = (wanted: (range: Range) => boolean): number =>
    Math.max(0, ...ranges.filter(wanted).map(({ weight }) => weight));
  const open = best(({ type, version }) => type === OPEN_METRICS && /^(1\.|$)/.test(version));
  return open > 0 && open >= best(({ type }) => type === TEXT);
}

/** The same metrics, to be written in the OpenMetrics format. */
export function openMetricsOf(
  registry: Registry,
  labels: object,
): Registry<OpenMetricsContentType> {
  const shown = new Registry<OpenMetricsContentType>();
  shown.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  shown.setDefaultLabels(labels);
  for (const metric of registry.getMetricsAsArray()) {
    // The writer of this format shortens the names of counters for good, so it gets objects of its own.
    shown.registerMetric(Object.create(metric) as Metric);
  }
  return shown;
}
