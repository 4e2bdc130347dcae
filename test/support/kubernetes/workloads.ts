import { z } from "zod";
import type { Resource } from "./render-chart.ts";

const probe = z.looseObject({
  httpGet: z.looseObject({ path: z.string(), port: z.string() }),
  periodSeconds: z.number(),
  timeoutSeconds: z.number(),
  failureThreshold: z.number(),
});

const variable = z.strictObject({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .strictObject({ secretKeyRef: z.strictObject({ name: z.string(), key: z.string() }) })
    .optional(),
});

const amounts = z.record(z.string(), z.union([z.string(), z.number()]));

const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(variable).default([]),
  envFrom: z
    .array(z.strictObject({ configMapRef: z.strictObject({ name: z.string() }) }))
    .default([]),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.number() })).default([]),
  securityContext: z.looseObject({}),
  resources: z.strictObject({ requests: amounts, limits: amounts }),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  lifecycle: z.looseObject({}).optional(),
});

const template = z.looseObject({
  metadata: z.looseObject({
    labels: z.record(z.string(), z.string()),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
  spec: z.looseObject({
    serviceAccountName: z.string(),
    containers: z.array(container).length(1),
    volumes: z.array(z.looseObject({ name: z.string() })),
    terminationGracePeriodSeconds: z.number().optional(),
  }),
});

export type Container = z.infer<typeof container>;
export type PodTemplate = z.infer<typeof template>;

const withTemplate = z.looseObject({ template });
const cronJob = z.looseObject({ jobTemplate: z.looseObject({ spec: withTemplate }) });

/** Resources of a kind, by the part of their name behind the release's. */
export function ofKind(resources: readonly Resource[], kind: string): Map<string, Resource> {
  const own = resources.filter((one) => one.kind === kind);
  return new Map(own.map((one) => [one.metadata.name.replace(/^porting-/, ""), one]));
}

/** The pod of a Deployment, a Job or a CronJob. */
export function podOf(workload: Resource): PodTemplate {
  const spec = workload["spec"];
  return workload.kind === "CronJob"
    ? cronJob.parse(spec).jobTemplate.spec.template
    : withTemplate.parse(spec).template;
}

/** Every pod of the chart, by the name of its program. */
export function podsOf(resources: readonly Resource[]): Map<string, PodTemplate> {
  const workloads = ["Deployment", "Job", "CronJob"].flatMap((kind) => [
    ...ofKind(resources, kind),
  ]);
  return new Map(workloads.map(([name, workload]) => [name, podOf(workload)]));
}

/** The one container of a pod. */
export function containerOf({ spec }: PodTemplate): Container {
  const [only] = spec.containers;
  if (only === undefined) throw new TypeError("the pod has no container");
  return only;
}

const configMap = z.looseObject({ data: z.record(z.string(), z.string()) });

/**
 * The environment that a container gets: its ConfigMap, its variables, and what the kubelet puts into them. Secrets are
 * given by `secret`, of a Secret's name and key.
 */
export function environmentOf(
  resources: readonly Resource[],
  { env, envFrom }: Container,
  secret: (name: string, key: string) => string,
): Record<string, string> {
  const given: Record<string, string> = {};
  for (const { configMapRef } of envFrom) {
    const found = resources.find(
      ({ kind, metadata }) => kind === "ConfigMap" && metadata.name === configMapRef.name,
    );
    Object.assign(given, configMap.parse(found).data);
  }
  for (const { name, value = "", valueFrom } of env) {
    const found = valueFrom?.secretKeyRef;
    given[name] =
      found === undefined
        ? value.replace(/\$\((\w+)\)/g, (_, other: string) => given[other] ?? "")
        : secret(found.name, found.key);
  }
  return given;
}
