/** @tier all @needs helm */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { SERVICE_NAMES } from "../../infra/start/supervisor/service-table.ts";
import { programOf, variablesOf } from "../support/kubernetes/chart-files.ts";
import { refusalOf, render, type Resource } from "../support/kubernetes/render-chart.ts";
import { ofKind, podsOf } from "../support/kubernetes/workloads.ts";

const peer = z.looseObject({
  ipBlock: z.looseObject({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
});
const port = z.looseObject({
  protocol: z.string(),
  port: z.union([z.number(), z.string()]).optional(),
});
const policy = z.looseObject({
  podSelector: z.looseObject({ matchLabels: z.record(z.string(), z.string()) }),
  policyTypes: z.array(z.string()),
  ingress: z.array(z.looseObject({ from: z.array(peer).min(1), ports: z.array(port) })).default([]),
  egress: z.array(z.looseObject({ to: z.array(peer).min(1), ports: z.array(port) })).default([]),
});

let resources: Resource[];

beforeAll(async () => {
  resources = await render({ values: "values-production.yaml", set: { "sandbox.enabled": true } });
});

function policyOf(name: string, of: readonly Resource[] = resources): z.infer<typeof policy> {
  return policy.parse(ofKind(of, "NetworkPolicy").get(name)?.["spec"]);
}

/** The ports that a pod may connect to; "any" for all. */
function destinations(name: string): (number | string)[] {
  return policyOf(name).egress.flatMap(({ ports }) => ports.map((one) => one.port ?? "any"));
}

describe("the chart's network policies", () => {
  it("deny every pod of the release what no other policy allows", () => {
    const { podSelector, ingress, egress, policyTypes } = policyOf("default-deny");
    expect([policyTypes, ingress, egress]).toEqual([["Ingress", "Egress"], [], []]);
    for (const [name, { metadata }] of podsOf(resources)) {
      const wanted = Object.entries(podSelector.matchLabels);
      expect([name, wanted.every(([key, value]) => metadata.labels[key] === value)]).toEqual([
        name,
        true,
      ]);
    }
  });

  it("let each service reach what it is configured with, and nothing else", () => {
    const ofVariable = {
      DATABASE_URL: 5432,
      KAFKA_BROKERS: 9093,
      SCHEMA_REGISTRY_URL: 8080,
      DOCUMENTS_BUCKET: 443,
      // Who waits for the scanner asks it; the desk has to know only whether there is one.
      CLAMD_TIMEOUT: 3310,
    };
    for (const name of SERVICE_NAMES) {
      const read = variablesOf(programOf(name));
      const wanted = Object.entries(ofVariable).filter(([variable]) => read.includes(variable));
      const expected = [
        53,
        53,
        ...wanted.map(([, number]) => number),
        ...(name === "webhook-sender" ? ["any"] : []),
      ];
      expect([name, destinations(name)]).toEqual([name, expected]);
    }
    for (const name of ["hook-jobs", "commands"])
      expect(destinations(name)).toEqual([53, 53, 5432, 9093, 8080]);
  });

  it("let webhooks go to public addresses alone", () => {
    const last = policyOf("webhook-sender").egress.at(-1);
    const blocks =
      last?.to.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock])) ?? [];
    expect(blocks.map(({ cidr }) => cidr)).toEqual(["0.0.0.0/0", "2000::/3"]);
    expect(blocks[0]?.except).toEqual(expect.arrayContaining(["10.0.0.0/8", "169.254.0.0/16"]));
  });

  it("let the router reach API and desk alone, and the monitoring every pod's metrics", () => {
    for (const name of SERVICE_NAMES) {
      const ports = policyOf(name).ingress.map((rule) => rule.ports.map((one) => one.port));
      const isFront = programOf(name).front !== undefined;
      expect([name, ports]).toEqual([name, isFront ? [["http"], ["metrics"]] : [["metrics"]]]);
    }
  });

  it("follow the settings of webhooks: allowed ranges, name servers, the cluster's ranges, a proxy", async () => {
    const open = await render({
      values: "values-production.yaml",
      set: {
        "settings.WEBHOOK_ALLOW_CIDRS": "10.20.0.0/16, 10.30.0.0/16",
        "settings.WEBHOOK_NAME_SERVERS": "10.0.0.2,10.0.0.3:5353,[fd00::2]:53",
        "networkPolicy.webhooks.exceptClusterIPv4": ["34.0.0.0/16"],
        "networkPolicy.webhooks.ports": [443],
      },
    });
    const rules = policyOf("webhook-sender", open).egress;
    const last = rules.at(-1);
    expect(last?.to.map(({ ipBlock }) => ipBlock?.cidr)).toEqual([
      "0.0.0.0/0",
      "2000::/3",
      "10.20.0.0/16",
      "10.30.0.0/16",
    ]);
    expect(last?.to[0]?.ipBlock?.except).toContain("34.0.0.0/16");
    expect(last?.ports).toEqual([{ protocol: "TCP", port: 443 }]);
    const servers = rules
      .slice(-4, -1)
      .map(({ to, ports }) => [to[0]?.ipBlock?.cidr, ports[0]?.port]);
    expect(servers).toEqual([
      ["10.0.0.2/32", 53],
      ["10.0.0.3/32", 5353],
      ["fd00::2/128", 53],
    ]);
    const proxied = await render({
      values: "values-production.yaml",
      set: {
        "networkPolicy.webhooks.proxy.secret": "webhook-proxy",
        "networkPolicy.webhooks.proxy.to": [{ ipBlock: { cidr: "10.1.2.3/32" } }],
      },
    });
    const [only] = policyOf("webhook-sender", proxied).egress.slice(-1);
    expect(only).toMatchObject({
      to: [{ ipBlock: { cidr: "10.1.2.3/32" } }],
      ports: [{ port: 3128 }],
    });
  });

  it("let pods reach name servers where these listen on a port of their own", async () => {
    const own = await render({
      values: "values-production.yaml",
      set: { "networkPolicy.dns.ports": [5353] },
    });
    for (const name of ["api", "webhook-sender", "hook-jobs", "commands"]) {
      const [first] = policyOf(name, own).egress;
      expect([name, first?.ports]).toEqual([
        name,
        [
          { protocol: "UDP", port: 5353 },
          { protocol: "TCP", port: 5353 },
        ],
      ]);
    }
  });

  it("are refused where a destination is missing, which would allow every one", async () => {
    const values = "values-production.yaml";
    const noScanner = await refusalOf({ values, set: { "networkPolicy.clamd.to": [] } });
    expect(noScanner).toContain("networkPolicy.clamd.to is empty");
    const noMail = { "smtp.secret": "mail-server", "networkPolicy.smtp.to": [] };
    expect(await refusalOf({ values, set: noMail })).toContain("networkPolicy.smtp.to is empty");
    const noProxy = await refusalOf({
      values,
      set: { "networkPolicy.webhooks.proxy.secret": "webhook-proxy" },
    });
    expect(noProxy).toContain("networkPolicy.webhooks.proxy.to is empty");
  });
});
