import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { exemplarOf } from "./exemplar.ts";
import { openMetricsOf, prefersOpenMetrics } from "./open-metrics.ts";

/** The event loop is sampled at this interval: a shorter one would keep waking an idle process. */
const EVENT_LOOP_SAMPLE_MS = 250;

export interface MetricOptions<L extends string> {
  /** Snake case with its unit, such as `outbox_oldest_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly L[];
}

export interface HistogramOptions<L extends string> extends MetricOptions<L> {
  /** Upper bounds, in the unit of the name. */
  readonly buckets: readonly number[];
}

/** A histogram whose buckets name a trace each, in the OpenMetrics format. */
export interface TracedHistogram<L extends string> {
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
