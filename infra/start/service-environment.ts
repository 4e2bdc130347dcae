import { join, resolve } from "node:path";
import type { StartConfig } from "./config.ts";
import type { StackAddresses } from "../local-stack/local-stack.ts";

export interface ServiceSettings {
  readonly config: StartConfig;
  readonly addresses: StackAddresses;
  readonly secretsKey: string;
  readonly publicApiUrl: string;
}

/** A name server that does not answer blocks a thread per name, and files are read by the same threads. */
const THREADS = "32";

/** Where the documents are, or with a bucket the temporary uploads. */
export function documentsFolder(env: NodeJS.ProcessEnv, dataDir: string): string {
  const given = env["DOCUMENTS_DIR"] ?? "";
  return given === "" ? join(dataDir, "documents") : resolve(given);
}

/** The environment of every service: that of `npm start` with the addresses, keys and folders of this start. */
export function serviceEnvironment(
  inherited: NodeJS.ProcessEnv,
  { config, addresses, secretsKey, publicApiUrl }: ServiceSettings,
): NodeJS.ProcessEnv {
  const env = { ...inherited };
  // It names a single service; all of them would have that name in traces.
  delete env["OTEL_SERVICE_NAME"];
  return {
    ...env,
    UV_THREADPOOL_SIZE: inherited["UV_THREADPOOL_SIZE"] ?? THREADS,
    KAFKA_BROKERS: addresses.kafkaBrokers,
    SCHEMA_REGISTRY_URL: addresses.registryUrl,
    SECRETS_KEY: secretsKey,
    LISTEN_HOST: config.listenHost,
    DOCUMENTS_DIR: documentsFolder(inherited, config.dataDir),
    CARRIERS_DIR: config.carriersDir,
    PUBLIC_API_URL: publicApiUrl,
    DEFAULT_PROVIDER: config.defaultProvider,
    SANDBOX: String(config.sandbox),
  };
}
