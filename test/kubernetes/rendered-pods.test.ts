/** @tier all @needs helm */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { SERVICE_NAMES } from "../../infra/start/supervisor/service-table.ts";
import { programOf, programs } from "../support/kubernetes/chart-files.ts";
import { render, type Resource } from "../support/kubernetes/render-chart.ts";
import { containerOf, ofKind, podsOf, type PodTemplate } from "../support/kubernetes/workloads.ts";

const JOBS = ["migrate", "rights", "topics", "commands"];

let resources: Resource[];
let pods: Map<string, PodTemplate>;

beforeAll(async () => {
  resources = await render({
    values: "values-production.yaml",
    set: {
      "sandbox.enabled": true,
      "kafka.topics.grantRights": true,
      "carriers.configMap": "own",
      "carriers.providers": ["acme"],
    },
  });
  pods = podsOf(resources);
});

const podSpec = z.looseObject({
  securityContext: z.looseObject({}),
  automountServiceAccountToken: z.boolean(),
  enableServiceLinks: z.boolean(),
});

function megabytes(amount: unknown): number {
  const [, count, unit] = /^(\d+)([MG])i$/.exec(String(amount)) ?? [];
  return Number(count) * (unit === "G" ? 1024 : 1);
}

describe("the chart's pods", () => {
  it("are one of each service of the service table, and the jobs", () => {
    expect([...pods.keys()].sort()).toEqual([...SERVICE_NAMES, ...JOBS].sort());
    expect([...ofKind(resources, "Deployment").keys()].sort()).toEqual([...SERVICE_NAMES].sort());
  });

  it("run the built program of their name", () => {
    for (const name of SERVICE_NAMES) {
      const { args } = containerOf(pods.get(name) ?? fail(name));
      expect(args).toEqual([`services/${name}/main.ts`]);
    }
    for (const job of JOBS) {
      expect(containerOf(pods.get(job) ?? fail(job)).args).toEqual(programs.jobs[job]?.args);
    }
  });

  it("have no more rights than they need", () => {
    for (const [name, { spec }] of pods) {
      const { securityContext, automountServiceAccountToken, enableServiceLinks } =
        podSpec.parse(spec);
      expect([name, securityContext]).toEqual([
        name,
        expect.objectContaining({
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: "RuntimeDefault" },
        }),
      ]);
      expect([name, automountServiceAccountToken, enableServiceLinks]).toEqual([
        name,
        false,
        false,
      ]);
      for (const key of ["hostNetwork", "hostPID", "hostIPC"]) expect(spec[key]).toBeUndefined();
      const [container] = spec.containers;
      expect([name, container?.securityContext]).toEqual([
        name,
        {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
      ]);
    }
  });

  it("have a service account of their own, without a token", () => {
    const accounts = ofKind(resources, "ServiceAccount");
    for (const name of SERVICE_NAMES) {
      expect(pods.get(name)?.spec.serviceAccountName).toBe(`porting-${name}`);
    }
    for (const [name, { spec }] of pods) {
      const account = accounts.get(spec.serviceAccountName.replace(/^porting-/, ""));
      expect([name, account?.["automountServiceAccountToken"]]).toEqual([name, false]);
    }
  });

  it("ask for resources and have limits, of memory at least those of the containers", () => {
    for (const [name, pod] of pods) {
      const { requests, limits } = containerOf(pod).resources;
      for (const amounts of [requests, limits])
        expect(Object.keys(amounts).sort()).toEqual(["cpu", "memory"]);
      expect([name, megabytes(limits["memory"])]).toEqual([name, expect.any(Number)]);
      expect(megabytes(limits["memory"])).toBeGreaterThanOrEqual(megabytes(requests["memory"]));
    }
    expect(
      megabytes(containerOf(pods.get("requirement-review") ?? fail("")).resources.limits["memory"]),
    ).toBeGreaterThanOrEqual(1536);
  });

  it("write to volumes alone: a folder for temporary files, and one for uploads", () => {
    for (const [name, { spec }] of pods) {
      const container = spec.containers[0];
      const mounted = container?.volumeMounts.map((mount) => mount.name) ?? [];
      expect([name, mounted.sort()]).toEqual([
        name,
        spec.volumes.map((volume) => volume.name).sort(),
      ]);
      const writable = container?.volumeMounts.filter((mount) => mount["readOnly"] !== true) ?? [];
      const isOfDocuments = programOf(name).groups.includes("documents");
      const expected = isOfDocuments ? ["/tmp", "/var/lib/porting/documents"] : ["/tmp"];
      expect([name, writable.map(({ mountPath }) => mountPath).sort()]).toEqual([name, expected]);
    }
  });
});

describe("the chart's services", () => {
  it("listen where probes and Services look for them", () => {
    for (const name of SERVICE_NAMES) {
      const container = containerOf(pods.get(name) ?? fail(name));
      const ports = Object.fromEntries(
        container.ports.map((port) => [port.name, port.containerPort]),
      );
      const front = programOf(name).front?.port;
      expect([name, ports]).toEqual([
        name,
        { metrics: 3002, ...(front === undefined ? {} : { http: front }) },
      ]);
      const { startupProbe, readinessProbe, livenessProbe } = container;
      expect([name, livenessProbe?.httpGet]).toEqual([name, { path: "/healthz", port: "metrics" }]);
      expect([name, startupProbe?.httpGet]).toEqual([name, { path: "/healthz", port: "metrics" }]);
      const own = front === undefined ? "metrics" : "http";
      expect([name, readinessProbe?.httpGet]).toEqual([name, { path: "/readyz", port: own }]);
      // A readiness check takes up to 2 s where a dependency is silent.
      expect(readinessProbe?.timeoutSeconds).toBeGreaterThan(2);
      // npm start, too, ends a service that is silent for 30 s.
      const { periodSeconds = 0, failureThreshold = 0 } = livenessProbe ?? {};
      expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(30);
    }
    for (const name of ["api", "desk"]) {
      expect(ofKind(resources, "Service").get(name)?.["spec"]).toMatchObject({
        ports: [{ port: 80, targetPort: "http" }],
      });
    }
  });

  it("have time to end what they do", () => {
    for (const name of SERVICE_NAMES) {
      const { spec } = pods.get(name) ?? fail(name);
      const { lifecycle } = containerOf(pods.get(name) ?? fail(name));
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
      const isFront = programOf(name).front !== undefined;
      expect([name, lifecycle]).toEqual([
        name,
        isFront ? { preStop: { sleep: { seconds: 5 } } } : undefined,
      ]);
    }
  });

  it("run twice at least, are spread, and lose one copy at a time", () => {
    const budgets = ofKind(resources, "PodDisruptionBudget");
    const scalers = new Map([
      ...ofKind(resources, "HorizontalPodAutoscaler"),
      ...ofKind(resources, "ScaledObject"),
    ]);
    expect([...budgets.keys()].sort()).toEqual([...SERVICE_NAMES].sort());
    for (const [name, deployment] of ofKind(resources, "Deployment")) {
      const spec = z.looseObject({ replicas: z.number().optional() }).parse(deployment["spec"]);
      const scaled = z
        .looseObject({ minReplicas: z.number().optional(), minReplicaCount: z.number().optional() })
        .optional()
        .parse(scalers.get(name)?.["spec"]);
      const least = scaled?.minReplicas ?? scaled?.minReplicaCount ?? spec.replicas;
      expect([name, least]).toEqual([name, name === "api" ? 3 : 2]);
      // What an autoscaler decides, an upgrade does not undo.
      expect([name, spec.replicas === undefined]).toEqual([name, scaled !== undefined]);
      expect([name, deployment["spec"]]).toEqual([
        name,
        expect.objectContaining({
          strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        }),
      ]);
      const selector = z.looseObject({ selector: z.unknown() });
      expect([name, selector.parse(budgets.get(name)?.["spec"])]).toEqual([
        name,
        expect.objectContaining({ maxUnavailable: 1, selector: selector.parse(spec).selector }),
      ]);
      const spread = z.looseObject({
        topologySpreadConstraints: z.array(z.looseObject({ topologyKey: z.string() })),
      });
      const keys = spread
        .parse(pods.get(name)?.spec)
        .topologySpreadConstraints.map(({ topologyKey }) => topologyKey);
      expect(keys.sort()).toEqual(["kubernetes.io/hostname", "topology.kubernetes.io/zone"]);
    }
  });

  it("are selected by labels that their pods have, each its own alone", () => {
    const selected = (resource: Resource | undefined): Record<string, string> =>
      z
        .looseObject({ selector: z.looseObject({ matchLabels: z.record(z.string(), z.string()) }) })
        .parse(resource?.["spec"]).selector.matchLabels;
    for (const [name, deployment] of ofKind(resources, "Deployment")) {
      const wanted = Object.entries(selected(deployment));
      const found = [...pods].filter(([, { metadata }]) =>
        wanted.every(([key, value]) => metadata.labels[key] === value),
      );
      expect([name, found.map(([other]) => other)]).toEqual([name, [name]]);
    }
  });
});

function fail(name: string): never {
  throw new TypeError(`there is no pod ${name}`);
}
