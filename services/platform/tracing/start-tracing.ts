import { z } from "zod";
import { decimal, readEnv, url } from "../config.ts";
import type { Logger } from "../logger.ts";
import type { Tracing } from "./tracing.ts";

const PROTOCOLS = ["http/protobuf", "http/json"] as const;
const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const TRACES_PATH = "/v1/traces";

type ExportProtocol = (typeof PROTOCOLS)[number];
export type SamplerName = (typeof SAMPLERS)[number];

export interface TracingConfig {
  /** Where spans are sent. */
  readonly url: string;
  readonly protocol: ExportProtocol;
  readonly sampler: SamplerName;
  /** The share of traces that a ratio sampler takes. */
  readonly ratio: number;
}

const endpoints = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: url().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url().optional(),
});

const settings = z.object({
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(PROTOCOLS, `expected ${PROTOCOLS.join(" or ")}`)
    .default("http/protobuf"),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, `expected one of ${SAMPLERS.join(", ")}`)
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: decimal({ fallback: 1, max: 1 }),
});

/**
 * Reads OpenTelemetry's own variables; null without an endpoint, which means that tracing is off. Headers, timeout,
 * compression and certificates are read by the exporter, `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` by the SDK.
 * @throws `invalid_config`
 */
function readTracingConfig(env: NodeJS.ProcessEnv): TracingConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = readEnv(
    endpoints,
    env,
  );
  const address = own ?? (base === undefined ? undefined : base + TRACES_PATH);
  if (address === undefined) return null;
  const config = readEnv(settings, env);
  return {
    url: address,
    protocol: config.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
  };
}

interface StartTracingOptions {
  readonly service: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Logger;
  /** Loads the SDK; given by tests alone. */
  readonly open?: OpenTracing;
}

export type OpenTracing = (
  config: TracingConfig,
  options: Pick<StartTracingOptions, "service" | "log">,
) => Promise<Tracing>;

/**
 * The traces of this process; null, and nothing of OpenTelemetry is loaded, where no endpoint is set.
 * @throws `invalid_config`
 */
export async function startTracing(options: StartTracingOptions): Promise<Tracing | null> {
  const { service, env, log, open = openSdk } = options;
  const config = readTracingConfig(env);
  return config === null ? null : open(config, { service, log });
}

const openSdk: OpenTracing = async (config, { service, log }) => {
  const [{ createSdkTracing }, exporter] = await Promise.all([
    import("./sdk-tracing.ts"),
    openExporter(config),
  ]);
  log.info({ protocol: config.protocol, sampler: config.sampler }, "traces are exported");
  return createSdkTracing({ service, config, exporter, log });
};

async function openExporter({ url, protocol }: TracingConfig) {
  const { OTLPTraceExporter } =
    protocol === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  return new OTLPTraceExporter({ url });
}
