import { describe, expect, it } from "@jest/globals";
import { readStartConfig } from "./config.ts";
import { serviceEnvironment } from "./access.ts";

const SETTINGS = {
  config: readStartConfig({}),
  addresses: { databaseUrl: "", kafkaBrokers: "localhost:9092", registryUrl: "" },
  secretsKey: "a-key",
  publicApiUrl: "",
};

describe("the environment of the services", () => {
  it("passes the variables of tracing on", () => {
    const given = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=secret",
      OTEL_TRACES_SAMPLER_ARG: "0.1",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    };
    expect(serviceEnvironment(given, SETTINGS)).toMatchObject(given);
  });

  it("leaves every service its own name", () => {
    const env = serviceEnvironment({ OTEL_SERVICE_NAME: "everything" }, SETTINGS);
    expect(Object.keys(env)).not.toContain("OTEL_SERVICE_NAME");
  });
});
