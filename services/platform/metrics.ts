import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type Metric,
  type OpenMetricsContentType,
} from "prom-client";
import { isSampled, parseTraceparent } from "./traceparent.ts";

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
function openMetricsOf(registry: Registry, labels: object): Registry<OpenMetricsContentType> {
  const shown = new Registry<OpenMetricsContentType>();
  shown.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  shown.setDefaultLabels(labels);
  for (const metric of registry.getMetricsAsArray()) {
    // The writer of this format shortens the names of counters for good, so it gets objects of its own.
    shown.registerMetric(Object.create(metric) as Metric);
  }
  return shown;
}

/** The event loop is sampled at this interval: a shorter one would keep waking an idle process. */
const EVENT_LOOP_SAMPLE_MS = 250;

interface MetricOptions<L extends string> {
  /** Snake case with its unit, such as `outbox_oldest_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly L[];
}

interface HistogramOptions<L extends string> extends MetricOptions<L> {
  /** Upper bounds, in the unit of the name. */
  readonly buckets: readonly number[];
}

/** A histogram whose buckets name a trace each, in the OpenMetrics format. */
interface TracedHistogram<L extends string> {
  /** `traceparent` is that of what was observed; where its trace is not sampled, there is nothing to name. */
  observe(labels: LabelValues<L>, value: number, traceparent?: string | null): void;
}

type LabelValues<L extends string> = Partial<Record<L, string | number>>;

/** What a scraper gets: text and its media type. */
export interface MetricsPage {
  readonly type: string;
  readonly text: string;
}

/** A process's metrics. Registering a name twice returns the same metric. */
export interface Metrics {
  counter<L extends string = never>(options: MetricOptions<L>): Counter<L>;
  gauge<L extends string = never>(options: MetricOptions<L>): Gauge<L>;
  histogram<L extends string = never>(options: HistogramOptions<L>): Histogram<L>;
  tracedHistogram<L extends string = never>(options: HistogramOptions<L>): TracedHistogram<L>;
  /** `set` runs before every page, for gauges of what is looked at only then. */
  beforePage(set: () => unknown): void;
  /** In the OpenMetrics format where `accept`, the header of the request, prefers it; else in Prometheus' text format. */
  page(accept?: string): Promise<MetricsPage>;
}

/** One registry for one process, with Node's own metrics; every sample carries the service's name. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS,
  });
  const setters: (() => unknown)[] = [];
  return {
    ...metricsIn(registry),
    beforePage: (set) => {
      setters.push(set);
    },
    page: async (accept) => {
      await Promise.all(setters.map((set) => set()));
      const shown = prefersOpenMetrics(accept) ? openMetricsOf(registry, { service }) : registry;
      return { type: shown.contentType, text: await shown.metrics() };
    },
  };
}

function metricsIn(registry: Registry): Omit<Metrics, "beforePage" | "page"> {
  // prom-client registers a metric with exemplars in no registry of the text format by itself.
  const settings = <L extends string>({ name, help, labels = [] }: MetricOptions<L>) => ({
    name,
    help,
    labelNames: labels,
    registers: [],
  });
  const added = <M extends Counter | Gauge | Histogram>(metric: M): M => {
    registry.registerMetric(metric);
    return metric;
  };
  return {
    counter(options) {
      const known = registry.getSingleMetric(options.name);
      return known instanceof Counter ? known : added(new Counter(settings(options)));
    },
    gauge(options) {
      const known = registry.getSingleMetric(options.name);
      return known instanceof Gauge ? known : added(new Gauge(settings(options)));
    },
    histogram(options) {
      const known = registry.getSingleMetric(options.name);
      if (known instanceof Histogram) return known;
      return added(new Histogram({ ...settings(options), buckets: [...options.buckets] }));
    },
    tracedHistogram(options) {
      const known = registry.getSingleMetric(options.name);
      const buckets = [...options.buckets];
      const histogram: Histogram =
        known instanceof Histogram
          ? known
          : added(new Histogram({ ...settings(options), buckets, enableExemplars: true }));
      return {
        observe: (labels, value, traceparent) =>
          histogram.observe({ labels, value, exemplarLabels: exemplarOf(traceparent) }),
      };
    },
  };
}

/** The labels by which a sample names its trace; none where the trace is not recorded, since nobody could open it. */
export function exemplarOf(traceparent: string | null | undefined): Record<string, string> {
  if (traceparent == null || traceparent === "") return {};
  const parts = parseTraceparent(traceparent);
  if (parts === null || !isSampled(parts)) return {};
  return { trace_id: parts.traceId, span_id: parts.spanId };
}
