/** @tier all @needs helm */
import { describe, expect, it } from "@jest/globals";
import { textOf } from "../support/kubernetes/chart-files.ts";
import {
  lint,
  refusalOf,
  render,
  renderNotes,
  renderText,
} from "../support/kubernetes/render-chart.ts";
import { ofKind } from "../support/kubernetes/workloads.ts";

const values = "values-production.yaml";
const small = "values-evaluation.yaml";

type Refused = readonly [
  what: string,
  values: string,
  set: Readonly<Record<string, unknown>>,
  reason: string,
];

describe("values that the chart refuses", () => {
  it.each<Refused>([
    ["a setting that nobody reads", values, { "settings.RATE_LIMIT": 5 }, "RATE_LIMIT"],
    ["a duration that is none", values, { "settings.REVIEW_DUE": "soon" }, "REVIEW_DUE"],
    [
      "nowhere to keep documents",
      small,
      { "documents.volume.claim": "" },
      "documents: name a bucket",
    ],
    [
      "a second copy beside a volume of one node",
      small,
      { "services.api.replicas": 2 },
      "services.api may have 2 copies",
    ],
    [
      "autoscaling beside a volume of one node",
      small,
      { "services.requirement-review.autoscaling.by": "cpu" },
      "services.requirement-review may have 4 copies",
    ],
    [
      "more consumers than partitions",
      values,
      { "services.event-log.autoscaling.maxReplicas": 7 },
      "topics have 6 partitions",
    ],
    [
      "relays that would never read the outbox",
      values,
      { "services.outbox-relay.replicas": 3 },
      "one reads the outbox",
    ],
    [
      "the lag of who consumes nothing",
      values,
      {
        "services.outbox-relay.autoscaling.by": "lag",
        "services.outbox-relay.autoscaling.maxReplicas": 2,
      },
      "services.outbox-relay.autoscaling.by is lag",
    ],
    [
      "the sandbox's orders without the sandbox",
      values,
      { "settings.DEFAULT_PROVIDER": "sandbox" },
      "sandbox.enabled is false",
    ],
    [
      "a grace shorter than a service needs",
      values,
      { "pods.preStopSeconds": 30 },
      "terminationGracePeriodSeconds must be more",
    ],
    [
      "tokens from nowhere",
      values,
      { "kafka.sasl.mechanism": "OAUTHBEARER" },
      "kafka.sasl.tokenUrl",
    ],
    [
      "a registry's login without a password",
      values,
      { "schemaRegistry.username": "porting" },
      "schemaRegistry.password.secret",
    ],
    [
      "a registry's writer without a password",
      values,
      { "schemaRegistry.writer.username": "writer" },
      "schemaRegistry.writer.password.secret",
    ],
    ["a host that is missing", values, { "exposure.desk.host": "" }, "set exposure.desk.host"],
    [
      "links to documents that lead nowhere",
      values,
      { "exposure.type": "none", "exposure.api.host": "" },
      "exposure.api has neither host nor publicUrl",
    ],
    [
      "a Gateway that is missing",
      values,
      { "exposure.gateway.parentRefs": [] },
      "exposure.gateway.parentRefs",
    ],
    [
      "a router that may not reach the API",
      values,
      { "networkPolicy.from": [] },
      "networkPolicy.from is empty",
    ],
    [
      "carriers' files without a list",
      values,
      { "carriers.configMap": "own" },
      "carriers.providers",
    ],
  ])("%s", async (_, ...[file, set, reason]) => {
    expect(await refusalOf({ values: file, set })).toContain(reason);
  });
});

describe("values that the chart accepts", () => {
  it.each([values, small])("%s, without a finding of Helm's own", async (file) => {
    await expect(lint({ values: file })).resolves.toContain("0 chart(s) failed");
  });

  it("an Ingress instead of a Gateway", async () => {
    const resources = await render({
      values,
      set: {
        "exposure.type": "ingress",
        "exposure.api.tlsSecret": "api-tls",
        "exposure.ingress.className": "haproxy",
      },
    });
    expect([...ofKind(resources, "HTTPRoute").keys()]).toEqual([]);
    expect(ofKind(resources, "Ingress").get("api")?.["spec"]).toMatchObject({
      ingressClassName: "haproxy",
      tls: [{ hosts: ["api.porting.example.com"], secretName: "api-tls" }],
      rules: [{ host: "api.porting.example.com" }],
    });
    expect([...ofKind(resources, "Ingress").keys()].sort()).toEqual(["api", "desk"]);
  });

  it("an external metric instead of KEDA, for each group and topic of a service", async () => {
    const resources = await render({
      values,
      set: { "autoscaling.lagFrom": "external", "kafka.topicPrefix": "eu." },
    });
    expect([...ofKind(resources, "ScaledObject").keys()]).toEqual([]);
    expect(
      ofKind(resources, "HorizontalPodAutoscaler").get("webhook-sender")?.["spec"],
    ).toMatchObject({
      maxReplicas: 6,
      metrics: [
        {
          external: {
            metric: {
              selector: {
                matchLabels: { consumergroup: "eu.webhook-sender", topic: "eu.porting.events" },
              },
            },
          },
        },
        {
          external: {
            metric: { selector: { matchLabels: { consumergroup: "eu.webhook-dispatch" } } },
          },
        },
      ],
    });
  });

  it("a volume of one node for one copy each of those that have documents, which are then on the same", async () => {
    const deployments = ofKind(await render({ values: small }), "Deployment");
    for (const name of ["api", "desk", "requirement-review"]) {
      expect(deployments.get(name)?.["spec"]).toMatchObject({
        replicas: 1,
        template: {
          metadata: { labels: { "number-porting-service/documents": "one-node" } },
          spec: {
            affinity: {
              podAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [
                  { topologyKey: "kubernetes.io/hostname" },
                ],
              },
            },
          },
        },
      });
    }
    expect(deployments.get("event-log")?.["spec"]).not.toHaveProperty("template.spec.affinity");
  });

  it("an image by its digest, and annotations, labels, tolerations and volumes of an operator's own", async () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const text = await renderText({
      values,
      set: {
        "image.digest": digest,
        "services.api.podLabels": { team: "porting" },
        "services.api.podAnnotations": { "example.com/note": "yes" },
        "services.api.tolerations": [{ key: "dedicated", operator: "Exists" }],
        "services.webhook-sender.extraEnv": [
          { name: "NODE_EXTRA_CA_CERTS", value: "/etc/own-ca/ca.crt" },
        ],
        "services.webhook-sender.extraVolumes": [
          { name: "own-ca", secret: { secretName: "own-ca" } },
        ],
        "services.webhook-sender.extraVolumeMounts": [{ name: "own-ca", mountPath: "/etc/own-ca" }],
      },
    });
    const [image] = text.match(/image: .*/) ?? [];
    expect(image).toContain(`registry.example.com/number-porting-service@${digest}`);
    const parts = [
      "team: porting",
      'example.com/note: "yes"',
      "key: dedicated",
      "secretName: own-ca",
    ];
    for (const part of parts) expect(text).toContain(part);
  });

  it("with notes that say how many connections the database must allow, as the example does", async () => {
    const notes = await renderNotes({ values });
    const [, needed] = /have (\d+) connections to Postgres/.exec(notes) ?? [];
    const [, allowed] = /max_connections: "(\d+)"/.exec(textOf("examples", "postgres.yaml")) ?? [];
    expect(Number(needed)).toBeGreaterThan(200);
    expect(Number(allowed)).toBeGreaterThan(Number(needed));
    expect(notes).toContain("https://desk.porting.example.com");
  });
});
