import { expect } from "@jest/globals";

/** One sample of a page of metrics. */
interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** What Prometheus sends. */
const PROMETHEUS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5";

/** The samples that a process serves to Prometheus at `<url>/metrics`. */
export class MetricsPage {
  readonly text: string;
  readonly #samples: readonly Sample[];

  constructor(text: string) {
    this.text = text;
    this.#samples = text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map(sampleOf);
  }

  static async read(url: string): Promise<MetricsPage> {
    const response = await fetch(`${url}/metrics`, { headers: { Accept: PROMETHEUS } });
    expect(response.status).toBe(200);
    return new MetricsPage(await response.text());
  }

  /** The sum of the samples with these labels; null if there are none. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number | null {
    const found = this.#samples.filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels.get(label) === value),
    );
    return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
  }
}

function sampleOf(line: string): Sample {
  const [, name = "", labels = "", value = ""] =
    /^([a-z0-9_:]+)(?:\{(.*?)\})? (\S+)/i.exec(line) ?? [];
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return {
    name,
    labels: new Map(pairs.map(([, label = "", text = ""]) => [label, text])),
    value: Number(value),
  };
}
