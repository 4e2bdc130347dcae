/** Requests of customers and operators; probes and `/metrics` are left out. */
export const REQUESTS = 'service=~"$service",route=~"/(v2|desk)/.+"';

/** As `REQUESTS`, without the streams, whose requests last as long as somebody listens. */
export const ANSWERED = `${REQUESTS},route!~".+/stream"`;

/** The rate of a counter over Grafana's own window. */
export function rate(selector: string): string {
  return `rate(${selector}[$__rate_interval])`;
}

/** A quantile of a histogram, by labels; `histogram` is its name with the labels that it is chosen by. */
export function quantile(of: number, histogram: string, by: readonly string[] = []): string {
  const [name = "", chosen = ""] = histogram.split(/(?=\{)/);
  return `histogram_quantile(${of}, sum by (${[...by, "le"].join(", ")}) (${rate(`${name}_bucket${chosen}`)}))`;
}
