import type { Logger } from "../logger.ts";
import type { Tracing } from "./tracing.ts";
import { readTracingConfig, type TracingConfig } from "./tracing-config.ts";

export interface StartTracingOptions {
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
