import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import { createLogger } from "../logger.ts";
import { startTracing, type OpenTracing, type TracingConfig } from "./start-tracing.ts";
import type { Tracing } from "./tracing.ts";

const log = createLogger("test", "silent");
const NO_TRACING: Tracing = {
  start: () => {
    throw new Error("not traced");
  },
  onDropped: () => undefined,
  stop: () => Promise.resolve(),
};

/** Starts tracing with an environment and returns what the SDK was loaded with. */
async function opened(env: NodeJS.ProcessEnv): Promise<TracingConfig[]> {
  const configs: TracingConfig[] = [];
  const open: OpenTracing = (config) => {
    configs.push(config);
    return Promise.resolve(NO_TRACING);
  };
  const tracing = await startTracing({ service: "test", env, log, open });
  expect(tracing).toBe(configs.length === 0 ? null : NO_TRACING);
  return configs;
}

describe("startTracing", () => {
  it.each([{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "" }, { OTEL_TRACES_SAMPLER: "always_on" }])(
    "loads nothing without an endpoint: %j",
    async (env) => {
      expect(await opened(env)).toEqual([]);
    },
  );

  it("takes the defaults of OpenTelemetry", async () => {
    expect(await opened({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" })).toEqual([
      {
        url: "http://collector:4318/v1/traces",
        protocol: "http/protobuf",
        sampler: "parentbased_always_on",
        ratio: 1,
      },
    ]);
  });

  it("takes an endpoint of the traces as it is, before the general one", async () => {
    const [config] = await opened({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/otlp",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    });
    expect(config).toEqual({
      url: "https://traces.example/otlp",
      protocol: "http/json",
      sampler: "parentbased_traceidratio",
      ratio: 0.25,
    });
  });

  it.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
    ["OTEL_TRACES_SAMPLER_ARG", "2"],
  ])("refuses what it cannot do, by name: %s", async (name, value) => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", [name]: value };
    await expect(opened(env)).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining(name),
    });
  });
});

describe("the OpenTelemetry packages", () => {
  /** The modules that import one of them, unless as types alone. */
  function importers(): string[] {
    const services = join(projectRoot, "services");
    return readdirSync(services, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
      .filter((path) =>
        /^import (?!type)[^;]*from "@opentelemetry\//m.test(
          readFileSync(join(services, path), "utf8"),
        ),
      )
      .sort();
  }

  it("are imported by what tracing loads when it is on, and by nothing else", () => {
    const loaded = ["sdk-tracing"];
    expect(importers()).toEqual(loaded.map((name) => `platform/tracing/${name}.ts`));
    const services = join(projectRoot, "services");
    const statically = readdirSync(services, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
      .filter((path) => !loaded.some((name) => path === `platform/tracing/${name}.ts`))
      .filter((path) =>
        /^import [^;]*from "[^"]*tracing\/sdk-tracing\.ts"/m.test(
          readFileSync(join(services, path), "utf8"),
        ),
      );
    expect(statically).toEqual([]);
  });
});
