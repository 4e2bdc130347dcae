/** @tier all @needs helm */
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { SERVICE_NAMES } from "../../infra/start/supervisor/service-table.ts";
import { render } from "../support/kubernetes/render-chart.ts";
import { containerOf, ofKind, podsOf } from "../support/kubernetes/workloads.ts";

const values = "values-production.yaml";

describe("the chart's PodMonitor", () => {
  it("finds the metrics of every service, under the job that alerts and dashboards know", async () => {
    const resources = await render({ values });
    const monitor = ofKind(resources, "PodMonitor").get("services");
    const { selector, podMetricsEndpoints } = z
      .looseObject({
        selector: z.looseObject({ matchLabels: z.record(z.string(), z.string()) }),
        podMetricsEndpoints: z.array(z.looseObject({ port: z.string() })).length(1),
      })
      .parse(monitor?.["spec"]);
    expect(podMetricsEndpoints[0]).toMatchObject({
      port: "metrics",
      path: "/metrics",
      relabelings: [{ targetLabel: "job", replacement: "porting" }],
    });
    const found = [...podsOf(resources)].filter(([, pod]) => {
      const hasLabels = Object.entries(selector.matchLabels).every(
        ([key, value]) => pod.metadata.labels[key] === value,
      );
      return hasLabels && containerOf(pod).ports.some(({ name }) => name === "metrics");
    });
    const installed = SERVICE_NAMES.filter((name) => name !== "sandbox-carrier");
    expect(found.map(([name]) => name).sort()).toEqual([...installed].sort());
  });
});
