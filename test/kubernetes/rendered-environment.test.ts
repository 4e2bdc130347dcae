/** @tier all @needs helm */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { readConfig as readTopicsConfig } from "../../infra/topics/config.ts";
import { projectRoot } from "../../infra/project-root.ts";
import { SERVICE_NAMES } from "../../infra/start/supervisor/service-table.ts";
import { programOf, variablesOf } from "../support/kubernetes/chart-files.ts";
import { render, type Rendering, type Resource } from "../support/kubernetes/render-chart.ts";
import {
  containerOf,
  environmentOf,
  ofKind,
  podOf,
  podsOf,
} from "../support/kubernetes/workloads.ts";

/** Put into DATABASE_URL by the kubelet; no program reads it. */
const OF_THE_KUBELET = ["DATABASE_PASSWORD"];

const configModule = z.object({
  readConfig: z.custom<(env: NodeJS.ProcessEnv) => Record<string, unknown>>(
    (value) => typeof value === "function",
  ),
});

const EVERYTHING: Rendering = {
  values: "values-production.yaml",
  set: {
    "sandbox.enabled": true,
    "kafka.topics.grantRights": true,
    "kafka.topicPrefix": "eu.",
    "kafka.tls.clientCertificates.secretPrefix": "certificate-",
    "kafka.sasl.scope": "kafka",
    "kafka.sasl.tokenUrl": "https://identity.example.com/token",
    "schemaRegistry.username": "porting",
    "schemaRegistry.password.secret": "registry-login",
    "schemaRegistry.writer.username": "writer",
    "schemaRegistry.writer.password.secret": "registry-writer",
    "schemaRegistry.ca.secret": "registry-ca",
    "documents.bucket.credentials.secret": "bucket",
    "documents.bucket.endpoint": "https://objects.example.com",
    "database.role": "none",
    "carriers.configMap": "own-carriers",
    "carriers.providers": ["acme"],
    "networkPolicy.webhooks.proxy.secret": "webhook-proxy",
    "networkPolicy.webhooks.proxy.to": [{ ipBlock: { cidr: "10.1.2.3/32" } }],
    "smtp.secret": "mail-server",
    "settings.SMTP_FROM": "notices@example.com",
    "settings.CORS_ORIGINS": "https://app.example.com",
    "settings.EVENTS_RETENTION": "90d",
    "settings.LOA_RESPORG_ID": "ABC12",
    "settings.MAX_OPEN_NUMBERS": 25_000_000,
    "settings.DRAFT_EXPIRY_DAYS": 0.5,
    "settings.WEBHOOK_ALLOW_HTTP": false,
    "settings.WEBHOOK_RETRY_SCHEDULE": "1m,7m",
  },
};

/** What a Secret has: a value that the program accepts, and that shows where it came from. */
function secretOf(name: string, key: string): string {
  if (key === "WEBHOOK_PROXY_URL") return "http://proxy:3128";
  if (key === "SMTP_URL") return "smtps://me:password@mail.example.com";
  return `${name}-${key}`;
}

async function configOf(
  resources: readonly Resource[],
  name: string,
): Promise<Record<string, unknown>> {
  const path = join(projectRoot, "services", name, "config.ts");
  const { readConfig } = configModule.parse(await import(path));
  const deployment = ofKind(resources, "Deployment").get(name);
  if (deployment === undefined) throw new TypeError(`there is no Deployment ${name}`);
  return readConfig(environmentOf(resources, containerOf(podOf(deployment)), secretOf));
}

let plain: Resource[];
let full: Resource[];

beforeAll(async () => {
  [plain, full] = await Promise.all([
    render({ values: "values-evaluation.yaml" }),
    render(EVERYTHING),
  ]);
});

describe("the environment of the chart's services", () => {
  it.each(SERVICE_NAMES)(
    "is one that %s accepts, with the least values and with all",
    async (name) => {
      await expect(configOf(plain, name)).resolves.toBeDefined();
      await expect(configOf(full, name)).resolves.toBeDefined();
    },
  );

  it("has only variables that the program reads", () => {
    for (const resources of [plain, full]) {
      for (const [name, pod] of podsOf(resources)) {
        const given = Object.keys(environmentOf(resources, containerOf(pod), secretOf));
        const known = [...variablesOf(programOf(name)), ...OF_THE_KUBELET];
        const unknown = given.filter((variable) => !known.includes(variable));
        expect([
          name,
          unknown.filter((one) => !(name === "migrate" && one.endsWith("_PASSWORD"))),
        ]).toEqual([name, []]);
      }
    }
  });

  it("leaves out only the settings that nobody has set", async () => {
    for (const [name, pod] of podsOf(full)) {
      const given = environmentOf(full, containerOf(pod), secretOf);
      const { settings } = programOf(name);
      const missing = variablesOf(programOf(name)).filter(
        (variable) =>
          !(variable in given) &&
          !settings.includes(variable) &&
          !variable.startsWith("OTEL_") &&
          variable !== "KAFKA_SESSION_TIMEOUT",
      );
      expect([name, missing]).toEqual([name, []]);
    }
    const api = await configOf(full, "api");
    expect(api).toMatchObject({
      MAX_OPEN_NUMBERS: 25_000_000,
      DRAFT_EXPIRY_DAYS: 0.5,
      CONNECTIONS_PER_ADDRESS: 0,
      METRICS_PUBLIC: false,
      PUBLIC_API_URL: "https://api.porting.example.com",
      TOPIC_PREFIX: "eu.",
    });
  });

  it("lets each service log in to Postgres and Kafka as itself alone", async () => {
    for (const name of SERVICE_NAMES) {
      const config = await configOf(full, name);
      const role = `porting_${name.replaceAll("-", "_")}`;
      const url = `postgresql://${role}:porting-database-${name}-password@porting-postgres-rw:5432/porting?sslmode=verify-full&sslrootcert=/etc/porting/database-ca/ca.crt`;
      const hasDatabase = programOf(name).groups.includes("database");
      expect([name, config["DATABASE_URL"]]).toEqual([name, hasDatabase ? url : undefined]);
      expect([name, config]).toEqual([
        name,
        expect.objectContaining({
          KAFKA_SSL: true,
          KAFKA_SASL_MECHANISM: "SCRAM-SHA-512",
          KAFKA_SASL_USERNAME: name,
          KAFKA_SASL_PASSWORD: `porting-kafka-${name}-password`,
        }),
      ]);
    }
  });

  it("lets services read at the registry, and the jobs register there", async () => {
    expect(await configOf(full, "carrier-adapter")).toMatchObject({
      SCHEMA_REGISTRY_USERNAME: "porting",
      SCHEMA_REGISTRY_PASSWORD: "registry-login-password",
    });
    const topics = podsOf(full).get("topics");
    if (topics === undefined) throw new TypeError("there is no job topics");
    expect(environmentOf(full, containerOf(topics), secretOf)).toMatchObject({
      SCHEMA_REGISTRY_USERNAME: "writer",
      SCHEMA_REGISTRY_PASSWORD: "registry-writer-password",
    });
  });

  it("names only files that are mounted", () => {
    for (const [name, pod] of podsOf(full)) {
      const container = containerOf(pod);
      const folders = container.volumeMounts.map(({ mountPath }) => mountPath);
      const given = environmentOf(full, container, secretOf);
      const files = Object.values(given).flatMap(
        (value) => value.match(/\/(?:etc|var)\/[\w/.-]+/g) ?? [],
      );
      for (const file of files) {
        expect([
          name,
          file,
          folders.some((folder) => file === folder || file.startsWith(`${folder}/`)),
        ]).toEqual([name, file, true]);
      }
    }
  });

  it("has secrets by reference alone", () => {
    const secret = /PASSWORD|SECRETS_KEY|SECRET_KEY|KEY_ID|PROXY_URL|SMTP_URL/;
    for (const { kind, metadata, ...rest } of full) {
      if (kind === "ConfigMap") {
        expect([
          metadata.name,
          Object.keys(rest["data"] as object).filter((name) => secret.test(name)),
        ]).toEqual([metadata.name, []]);
      }
      expect(kind).not.toBe("Secret");
    }
    for (const [name, pod] of podsOf(full)) {
      const readable = containerOf(pod).env.filter(
        ({ name: variable, value }) => value !== undefined && secret.test(variable),
      );
      expect([name, readable]).toEqual([name, []]);
    }
  });
});

describe("the settings of the chart's services", () => {
  it("are rolled out: the pods of those that read a changed one are replaced, and no others", async () => {
    const changed = await render({
      ...EVERYTHING,
      set: { ...EVERYTHING.set, "settings.REVIEW_DUE": "4h" },
    });
    const sums = (resources: readonly Resource[]): Map<string, string | undefined> =>
      new Map(
        [...podsOf(resources)].map(([name, { metadata }]) => [
          name,
          metadata.annotations["checksum/settings"],
        ]),
      );
    const [before, after] = [sums(full), sums(changed)];
    expect(
      [...before].filter(([name, sum]) => sum !== after.get(name)).map(([name]) => name),
    ).toEqual(["requirement-review"]);
    const rolled = await render({
      ...EVERYTHING,
      set: { ...EVERYTHING.set, "pods.secretsRevision": "2" },
    });
    for (const name of SERVICE_NAMES) {
      expect(podsOf(rolled).get(name)?.metadata.annotations).not.toEqual(
        podsOf(full).get(name)?.metadata.annotations,
      );
    }
  });
});

describe("the environment of the chart's jobs", () => {
  it("is the owner's in the database and the administrator's in Kafka", () => {
    const pods = podsOf(full);
    const of = (name: string): Record<string, string> => {
      const pod = pods.get(name);
      if (pod === undefined) throw new TypeError(`there is no pod ${name}`);
      return environmentOf(full, containerOf(pod), secretOf);
    };
    expect(of("migrate")["DATABASE_URL"]).toMatch(
      /^postgresql:\/\/porting:porting-postgres-app-password@/,
    );
    expect(of("commands")["DATABASE_URL"]).toBe(of("migrate")["DATABASE_URL"]);
    expect(readTopicsConfig(of("topics"))).toMatchObject({
      prefix: "eu.",
      replication: 3,
      partitions: 6,
      retrySchedule: "1m,7m",
      eventsRetentionMs: 90 * 86_400_000,
      carriersDir: "/etc/porting/carriers",
      security: {
        KAFKA_SASL_USERNAME: "admin",
        KAFKA_SASL_PASSWORD: "porting-kafka-admin-password",
      },
    });
  });

  it("lets the roles log in where no operator does", async () => {
    const own = await render({
      values: "values-evaluation.yaml",
      set: { "database.setPasswords": true },
    });
    const pod = podsOf(own).get("migrate");
    const given = pod === undefined ? {} : environmentOf(own, containerOf(pod), secretOf);
    const passwords = Object.keys(given).filter(
      (name) => name.endsWith("_PASSWORD") && name !== "DATABASE_PASSWORD",
    );
    const withDatabase = SERVICE_NAMES.filter((name) =>
      programOf(name).groups.includes("database"),
    );
    expect(passwords.sort()).toEqual(
      withDatabase.map((name) => `${name.toUpperCase().replaceAll("-", "_")}_PASSWORD`).sort(),
    );
  });
});

describe("the chart's jobs", () => {
  it("run before anything else of a release, in their order, after what they need", () => {
    const hooks = full
      .map(({ kind, metadata: { name, annotations } }) => ({
        name: `${kind} ${name}`,
        hook: annotations["helm.sh/hook"],
        weight: Number(annotations["helm.sh/hook-weight"]),
      }))
      .filter(({ hook }) => hook !== undefined);
    expect(hooks.every(({ hook }) => hook === "pre-install,pre-upgrade")).toBe(true);
    const ordered = hooks.sort((one, other) => one.weight - other.weight).map(({ name }) => name);
    expect(ordered.slice(0, 2).sort()).toEqual([
      "NetworkPolicy porting-hook-jobs",
      "ServiceAccount porting-jobs",
    ]);
    expect(ordered.slice(2)).toEqual([
      "Job porting-migrate",
      "Job porting-rights",
      "Job porting-topics",
    ]);
  });
});
