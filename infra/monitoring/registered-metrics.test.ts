import { describe, expect, it } from "@jest/globals";
import { registeredMetrics, seriesIn } from "./registered-metrics.ts";

/** The units that Prometheus's conventions ask for; a count of things names the things. */
const UNIT = /_(seconds|bytes|total|info)$/;
const COUNTED = /(_(messages|connections|requests|timers|open|in_flight|ready))$/;

/** Node's own, whose names are not ours. */
const OF_NODE = /^(process|nodejs)_/;

describe("the metrics of the services", () => {
  it("are found in the source, with their kinds", async () => {
    const metrics = await registeredMetrics();
    expect(metrics.get("http_requests_total")).toBe("counter");
    expect(metrics.get("http_request_seconds")).toBe("histogram");
    expect(metrics.get("outbox_oldest_seconds")).toBe("gauge");
    expect(metrics.get("nodejs_eventloop_lag_p99_seconds")).toBe("gauge");
    expect([...metrics.keys()].filter((name) => !OF_NODE.test(name)).length).toBeGreaterThan(25);
  });

  it("name their unit, and counters what they add up", async () => {
    const ours = [...(await registeredMetrics())].filter(([name]) => !OF_NODE.test(name));
    const odd = ours.filter(([name, kind]) => {
      if (kind === "counter") return !name.endsWith("_total");
      return name.endsWith("_total") || !(UNIT.test(name) || COUNTED.test(name));
    });
    expect(odd).toEqual([]);
  });

  it("are no two families of one name in the OpenMetrics format, which cuts _total off", async () => {
    const families = [...(await registeredMetrics())].map(([name, kind]) =>
      kind === "counter" ? name.replace(/_total$/, "") : name,
    );
    expect(families.filter((name, n) => families.indexOf(name) !== n)).toEqual([]);
  });
});

describe("the series of a PromQL expression", () => {
  it.each([
    ["max by (group) (consumer_lag) >= 10", ["consumer_lag"]],
    ['sum(rate(a_total{job="b",code=~"5.."}[$__rate_interval])) / on (x) c', ["a_total", "c"]],
    ["absent(up) or time() - level:metric:op > 5", ["up", "level:metric:op"]],
    ["vector(0)", []],
  ])("are %s", (expression, series) => {
    expect(seriesIn(expression)).toEqual(series);
  });

  it.each(["sum(", "rate(a_total[5m)", 'a{b="c"', '{job="a"}'])("need PromQL: %s", (text) => {
    expect(() => seriesIn(text)).toThrow(SyntaxError);
  });
});
