import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { z } from "zod";
import { composeService, environmentOf } from "../../test/support/programs/compose-file.ts";
import { documentsOf, textOf } from "../../test/support/kubernetes/chart-files.ts";
import { SERVICE_USERS } from "../../services/messages/bus/topic-rights.ts";
import { KAFKA_VERSION, REGISTRY_VERSION } from "../local-stack/artifacts.ts";
import { REGISTRY_ROLE } from "../migrate/login-roles.ts";
import { RELAY_ROLE } from "../migrate/require-server.ts";
import { ROLES } from "../migrate/migrations/grants.ts";

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

const defaults = z
  .looseObject({
    database: z.looseObject({
      host: z.string(),
      name: z.string(),
      ca: z.looseObject({ secret: z.string() }),
      owner: z.looseObject({ user: z.string(), secret: z.string() }),
      passwords: z.looseObject({ secretPrefix: z.string() }),
    }),
    kafka: z.looseObject({
      brokers: z.array(z.string()),
      tls: z.looseObject({ ca: z.looseObject({ secret: z.string() }) }),
      sasl: z.looseObject({ passwords: z.looseObject({ secretPrefix: z.string() }) }),
      topics: z.looseObject({ replication: z.number() }),
    }),
    schemaRegistry: z.looseObject({ url: z.string() }),
  })
  .parse(parse(textOf("chart", "values.yaml")));

function find(file: string, kind: string, name?: string): Resource {
  const all = documentsOf("examples", file) as Resource[];
  const found = all.find(
    (one) => one.kind === kind && (name ?? one.metadata.name) === one.metadata.name,
  );
  if (found === undefined) throw new TypeError(`${file} has no ${kind}`);
  return found;
}

describe("the example of Kafka", () => {
  const { metadata, spec } = find("kafka.yaml", "Kafka");

  it("is the version that the tests use, where the chart looks for it", () => {
    expect(spec).toMatchObject({ kafka: { version: KAFKA_VERSION } });
    expect(defaults.kafka.brokers).toEqual([`${metadata.name}-kafka-bootstrap:9093`]);
    expect(defaults.kafka.tls.ca.secret).toBe(`${metadata.name}-cluster-ca-cert`);
    const { secretPrefix } = defaults.kafka.sasl.passwords;
    expect(spec).toMatchObject({ entityOperator: { userOperator: { secretPrefix } } });
  });

  it("keeps every message on two of three brokers, and admits nobody without rights", () => {
    expect(find("kafka.yaml", "KafkaNodePool", "brokers").spec).toMatchObject({ replicas: 3 });
    expect(defaults.kafka.topics.replication).toBe(3);
    expect(spec).toMatchObject({
      kafka: {
        authorization: { type: "simple" },
        listeners: [{ tls: true, authentication: { type: "scram-sha-512" } }],
        config: { "min.insync.replicas": 2, "auto.create.topics.enable": false },
      },
    });
  });

  it("has a user for every service", () => {
    const users = (documentsOf("examples", "kafka-users.yaml") as Resource[]).map(
      (one) => one.metadata.name,
    );
    expect(users).toEqual(expect.arrayContaining([...SERVICE_USERS, "admin"]));
  });
});

describe("the example of Postgres", () => {
  const { metadata, spec } = find("postgres.yaml", "Cluster");

  it("is the version that the containers use, where the chart looks for it", () => {
    const [, version] = /^postgres:([\d.]+)-/.exec(composeService("postgres").image) ?? [];
    expect(spec["imageName"]).toContain(`/postgresql:${version ?? "?"}-`);
    const { host, name, ca, owner } = defaults.database;
    expect(host).toBe(`${metadata.name}-rw`);
    expect([ca.secret, owner.secret]).toEqual([`${metadata.name}-ca`, `${metadata.name}-app`]);
    expect(spec).toMatchObject({ bootstrap: { initdb: { database: name, owner: owner.user } } });
  });

  it("has every role of the migrations, each service's with its password, and an owner that assumes them", () => {
    const roles = z
      .looseObject({
        managed: z.looseObject({ roles: z.array(z.looseObject({ name: z.string() })) }),
      })
      .parse(spec).managed.roles;
    const { secretPrefix } = defaults.database.passwords;
    const services = ROLES.filter((role) => role !== "porting_analyst");
    const expected = [
      { name: "porting", login: true, inRoles: ROLES.toSorted() },
      ...[...services, REGISTRY_ROLE].map((name) => {
        const service = name.slice("porting_".length).replaceAll("_", "-");
        const rights = name === RELAY_ROLE ? { replication: true } : {};
        return { name, login: true, ...rights, passwordSecret: { name: secretPrefix + service } };
      }),
      { name: "porting_analyst", login: false },
    ];
    const found = roles.map(({ inRoles, ...role }) =>
      Array.isArray(inRoles) ? { ...role, inRoles: inRoles.toSorted() } : role,
    );
    const byName = (one: { name: string }, other: { name: string }) =>
      one.name.localeCompare(other.name);
    expect(found.sort(byName)).toEqual(expected.sort(byName));
  });
});

describe("the example of the registry", () => {
  it("is the version that the tests use, with the settings of the containers", () => {
    const { metadata, spec } = find("registry.yaml", "Deployment");
    const [container] = z
      .looseObject({
        template: z.looseObject({
          spec: z.looseObject({ containers: z.array(z.looseObject({})) }),
        }),
      })
      .parse(spec).template.spec.containers;
    expect(container).toMatchObject({ image: `apicurio/apicurio-registry:${REGISTRY_VERSION}` });
    expect(defaults.schemaRegistry.url).toBe(`http://${metadata.name}:8080/apis/ccompat/v7`);
    const { env } = z
      .looseObject({
        env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })),
      })
      .parse(container);
    const given = environmentOf("registry", {
      ...Object.fromEntries(["REGISTRY_PASSWORD"].map((name) => [name, "any"])),
    });
    expect(env.map(({ name }) => name).sort()).toEqual(Object.keys(given).sort());
    const same = env.filter(({ name, value }) => value !== undefined && !name.endsWith("_URL"));
    for (const { name, value } of same) expect([name, value]).toEqual([name, given[name]]);
  });
});
