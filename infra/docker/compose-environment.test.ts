import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import {
  composeService,
  interpolatedNames,
  ownServices,
} from "../../test/support/programs/compose-file.ts";
import { example, namesRead } from "../../test/support/programs/service-variables.ts";
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
const FIXED = ["DATABASE_URL", "DOCUMENTS_DIR", "HEALTH_PORT", "METRICS_PUBLIC"];
/** Set by npm start for its services, which stop with it. */
const OF_THE_SUPERVISOR = ["STOP_WITH_PARENT"];

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
