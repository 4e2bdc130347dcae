import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/** The event loop is sampled at this interval: a shorter one would keep waking an idle process. */
const EVENT_LOOP_SAMPLE_MS = 100;

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

/** A process's metrics. Registering a name twice returns the same metric. */
export interface Metrics {
  counter<L extends string = never>(options: MetricOptions<L>): Counter<L>;
  gauge<L extends string = never>(options: MetricOptions<L>): Gauge<L>;
  histogram<L extends string = never>(options: HistogramOptions<L>): Histogram<L>;
  /** The Prometheus text format, and its media type. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** One registry for one process, with Node's own metrics; every sample carries the service's name. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS,
  });
  const settings = <L extends string>({ name, help, labels = [] }: MetricOptions<L>) => ({
    name,
    help,
    labelNames: labels,
    registers: [registry],
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    counter(options) {
      const known = registry.getSingleMetric(options.name);
      return known instanceof Counter ? known : new Counter(settings(options));
    },
    gauge(options) {
      const known = registry.getSingleMetric(options.name);
      return known instanceof Gauge ? known : new Gauge(settings(options));
    },
    histogram(options) {
      const known = registry.getSingleMetric(options.name);
      if (known instanceof Histogram) return known;
      return new Histogram({ ...settings(options), buckets: [...options.buckets] });
    },
  };
}
