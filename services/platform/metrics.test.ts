import { describe, expect, it } from "@jest/globals";
import { createMetrics, exemplarOf, prefersOpenMetrics } from "./metrics.ts";

const IDS = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";

describe("the exemplar of a traceparent", () => {
  it.each(["01", "03"])("names the trace and the span of a sampled one: flags %s", (flags) => {
    const [trace_id, span_id] = IDS.split("-");
    expect(exemplarOf(`00-${IDS}-${flags}`)).toEqual({ trace_id, span_id });
  });

  it.each([undefined, null, "", "nonsense", `00-${IDS}-00`, `00-${IDS}-02`])(
    "is empty otherwise: %s",
    (traceparent) => {
      expect(exemplarOf(traceparent)).toEqual({});
    },
  );
});

/** As Prometheus 2.42 sends it. */
const PROMETHEUS_2 =
  "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
/** As Prometheus 3 sends it. */
const PROMETHEUS_3 =
  "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1";

const SAMPLED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const NOT_SAMPLED = "00-1bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

function filledMetrics() {
  const metrics = createMetrics("test");
  metrics.counter({ name: "things_total", help: "Things" }).inc(2);
  metrics.gauge({ name: "depth_messages", help: "Depth" }).set(7);
  const seconds = metrics.tracedHistogram({
    name: "thing_seconds",
    help: "Time",
    labels: ["route"],
    buckets: [0.1, 1],
  });
  seconds.observe({ route: "/a" }, 0.05, SAMPLED);
  seconds.observe({ route: "/a" }, 0.5, NOT_SAMPLED);
  seconds.observe({ route: "/a" }, 5);
  return metrics;
}

describe("the preference of an Accept header", () => {
  it.each([
    PROMETHEUS_2,
    PROMETHEUS_3,
    "application/openmetrics-text",
    "text/plain;q=0.5, Application/OpenMetrics-Text; Version=1.0.0; q=0.5",
  ])("is OpenMetrics: %s", (accept) => {
    expect(prefersOpenMetrics(accept)).toBe(true);
  });

  it.each([
    undefined,
    "",
    "*/*",
    "text/html,*/*;q=0.8",
    "text/plain;version=0.0.4",
    "application/openmetrics-text;version=0.0.1",
    "application/openmetrics-text;version=1.0.0;q=0",
    "application/openmetrics-text;version=1.0.0;q=none",
    "application/openmetrics-text;version=1.0.0;q=0.2,text/plain;q=0.9",
  ])("is the text format: %s", (accept) => {
    expect(prefersOpenMetrics(accept)).toBe(false);
  });
});

describe("the page of metrics", () => {
  it("is the text format, without exemplars, unless another is asked for", async () => {
    const { type, text } = await filledMetrics().page("*/*");
    expect(type).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(text).toContain('things_total{service="test"} 2\n');
    expect(text).toContain('thing_seconds_bucket{le="0.1",service="test",route="/a"} 1\n');
    expect(text).not.toContain("trace_id");
    expect(text).not.toContain("# EOF");
  });

  it("names the sampled trace of a bucket in the OpenMetrics format, and no other", async () => {
    const { type, text } = await filledMetrics().page(PROMETHEUS_2);
    expect(type).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(text).toContain('# TYPE things counter\nthings_total{service="test"} 2\n');
    expect(text).toContain('depth_messages{service="test"} 7\n');
    const exemplar =
      '# {trace_id="4bf92f3577b34da6a3ce929d0e0e4736",span_id="00f067aa0ba902b7"} 0.05 ';
    expect(text).toContain(
      `thing_seconds_bucket{le="0.1",service="test",route="/a"} 1 ${exemplar}`,
    );
    expect(text.match(/trace_id=/g)).toHaveLength(1);
    expect(text.endsWith("\n# EOF\n")).toBe(true);
  });

  it("keeps the names of the text format after the other was served", async () => {
    const metrics = filledMetrics();
    await Promise.all([metrics.page(PROMETHEUS_3), metrics.page()]);
    const [open, { text }] = await Promise.all([metrics.page(PROMETHEUS_3), metrics.page()]);
    expect(text).toContain('# TYPE things_total counter\nthings_total{service="test"} 2\n');
    expect(text).toMatch(/^process_cpu_seconds_total\{/m);
    expect(open.text).toMatch(/^process_cpu_seconds_total\{/m);
    expect(open.text).toMatch(/^nodejs_eventloop_lag_p99_seconds\{/m);
  });

  it("has every metric family once, as both formats ask for", async () => {
    for (const accept of [PROMETHEUS_2, "*/*"]) {
      const { text } = await filledMetrics().page(accept);
      const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
      expect(families).toEqual([...new Set(families)]);
    }
  });

  it("runs what sets its gauges first", async () => {
    const metrics = createMetrics("test");
    const gauge = metrics.gauge({ name: "looked_at", help: "-" });
    let looks = 0;
    metrics.beforePage(async () => {
      await Promise.resolve();
      gauge.set((looks += 1));
    });
    expect((await metrics.page()).text).toContain('looked_at{service="test"} 1\n');
    expect((await metrics.page(PROMETHEUS_2)).text).toContain('looked_at{service="test"} 2\n');
  });

  it("has one metric for a name that was registered twice", async () => {
    const metrics = filledMetrics();
    const options = { name: "thing_seconds", help: "Time", labels: ["route"], buckets: [0.1, 1] };
    metrics.tracedHistogram(options).observe({ route: "/a" }, 0.05);
    expect((await metrics.page()).text).toContain(
      'thing_seconds_count{service="test",route="/a"} 4',
    );
  });
});
