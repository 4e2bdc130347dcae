/** @tier all @needs helm */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { SERVICE_NAMES } from "../../infra/start/supervisor/service-table.ts";
import { render, type Resource } from "../support/kubernetes/render-chart.ts";
import { ofKind, podsOf } from "../support/kubernetes/workloads.ts";

const rendering = { values: "values-production.yaml", set: { "sandbox.enabled": true } };

let running: Resource[];
let stopped: Resource[];

beforeAll(async () => {
  [running, stopped] = await Promise.all([
    render(rendering),
    render({ ...rendering, set: { ...rendering.set, stopped: true } }),
  ]);
});

describe("a stopped installation", () => {
  it("has no copy of any service, whatever scales it", () => {
    const deployments = ofKind(stopped, "Deployment");
    expect([...deployments.keys()].sort()).toEqual([...SERVICE_NAMES].sort());
    for (const [name, { spec }] of deployments) {
      expect([name, spec]).toEqual([name, expect.objectContaining({ replicas: 0 })]);
    }
  });

  // KEDA brings a Deployment back to its least copies; a HorizontalPodAutoscaler does nothing where there is none.
  it("is not started again by KEDA", () => {
    const paused = "autoscaling.keda.sh/paused-replicas";
    const scalers = ofKind(stopped, "ScaledObject");
    expect(scalers.size).toBeGreaterThan(2);
    for (const [name, { metadata }] of scalers) {
      expect([name, metadata.annotations[paused]]).toEqual([name, "0"]);
    }
    for (const { metadata } of ofKind(running, "ScaledObject").values()) {
      expect(metadata.annotations).not.toHaveProperty([paused]);
    }
  });

  it("has its jobs and commands, and all else, as ever", () => {
    const names = (resources: readonly Resource[]): string[] =>
      resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
    expect(names(stopped)).toEqual(names(running));
    expect(Object.fromEntries(podsOf(stopped))).toEqual(Object.fromEntries(podsOf(running)));
  });
});
