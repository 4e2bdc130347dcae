import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import {
  composeService,
  interpolatedNames,
  ownServices,
} from "../../test/support/programs/compose-file.ts";
import { accessVariables } from "../kafka-access/config.ts";
import { passwordNames } from "../passwords-config.ts";
import { projectRoot } from "../project-root.ts";
import { topicsVariables } from "../topics/config.ts";

/** Read by runService rather than by a service's own config. */
const OF_EVERY_SERVICE = [
  "LOG_LEVEL",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_PROTOCOL",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_RESOURCE_ATTRIBUTES",
  "OTEL_TRACES_SAMPLER",
  "OTEL_TRACES_SAMPLER_ARG",
];
/** Names a single service, so that it is not passed to all of them. */
const OF_ONE_SERVICE = ["OTEL_SERVICE_NAME"];
/** Read only by npm start and a developer's other commands. */
const OF_NO_CONTAINER = [
  "COPIES",
  "DATA_DIR",
  "JAVA_HOME",
  "KAFKA_NODES",
  "KAFKA_PORT",
  "POSTGRES_PORT",
  "REGISTRY_PORT",
  "WAL_ARCHIVE_DIR",
];
/** Variables of a container that docker-compose.yml sets itself. */
const FIXED = ["DATABASE_URL", "DOCUMENTS_DIR", "HEALTH_PORT"];
/** Set by npm start for its services, which stop with it. */
const OF_THE_SUPERVISOR = ["STOP_WITH_PARENT"];

/** Values for variables that .env.example leaves empty. */
const SAMPLES: Readonly<Record<string, string>> = {
  CLAMD_URL: "tcp://clamd:3310",
  CORS_ORIGINS: "https://app.example.com",
  DESK_COUNTRY: "US",
  DATABASE_READ_URL: "postgresql://replica/porting",
  DATABASE_URL: "postgresql://localhost/porting",
  DOCUMENTS_DIR: "/documents",
  DOCUMENTS_BUCKET: "porting-documents",
  DOCUMENTS_BUCKET_ENDPOINT: "http://localhost:9000",
  DOCUMENTS_BUCKET_KEY_ID: "an-id",
  DOCUMENTS_BUCKET_SECRET_KEY: "a-key",
  EVENTS_RETENTION: "90d",
  KAFKA_BROKERS: "kafka:9092",
  KAFKA_SASL_MECHANISM: "SCRAM-SHA-512",
  KAFKA_SASL_TOKEN_URL: "https://identity.example.com/token",
  LOA_RESPORG_ID: "ABC12",
  PUBLIC_API_URL: "http://localhost:3000",
  PUBLIC_DESK_URL: "http://localhost:3001",
  SCHEMA_REGISTRY_URL: "http://localhost:8080",
  WEBHOOK_NAME_SERVERS: "10.0.0.2",
  WEBHOOK_PROXY_URL: "http://proxy:3128",
};

const example = Object.fromEntries(
  readFileSync(join(projectRoot, ".env.example"), "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
) as Readonly<Record<string, string>>;

const configModule = z.object({
  readConfig: z.custom<(env: NodeJS.ProcessEnv) => object>((value) => typeof value === "function"),
});

/** The variables that a service reads from an environment in which every variable is set. */
async function namesRead(service: string): Promise<string[]> {
  const path = join(projectRoot, "services", service, "config.ts");
  const { readConfig } = configModule.parse(await import(path));
  const full = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, value || (SAMPLES[name] ?? "any")]),
  );
  return Object.keys(readConfig(full)).filter((name) => name in example);
}

function given(name: string): string[] {
  return Object.keys(composeService(name).environment).sort();
}

const services = ownServices.filter((name) =>
  readdirSync(join(projectRoot, "services")).includes(name),
);

describe("the containers' environment", () => {
  it.each(services)("gives %s exactly what its config reads", async (name) => {
    expect(given(name)).toEqual([...(await namesRead(name)), ...OF_EVERY_SERVICE].sort());
  });

  it("gives the jobs exactly the variables that they read", () => {
    const services = passwordNames.filter((name) => !/^(REGISTRY|KAFKA_ADMIN)_/.test(name));
    const ofMigrate = ["DATABASE_URL", "REGISTRY_PASSWORD", ...services];
    expect(given("migrate")).toEqual(ofMigrate.sort());
    const ofAccess = [...accessVariables, "KAFKA_ADMIN_PASSWORD", ...services];
    expect(given("kafka-access")).toEqual(ofAccess.sort());
    expect(given("topics")).toEqual([...topicsVariables].sort());
  });

  it("interpolates only variables of .env.example, and all that a container reads", () => {
    const interpolated = [...interpolatedNames()];
    expect(interpolated.filter((name) => !(name in example))).toEqual([]);
    const others = [...OF_NO_CONTAINER, ...FIXED, ...OF_THE_SUPERVISOR, ...OF_ONE_SERVICE];
    expect([...interpolated, ...others].sort()).toEqual(Object.keys(example).sort());
  });
});
