import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import type { SchemaRegistry } from "@kafkajs/confluent-schema-registry";
import { logLevel, type KafkaConfig, type LogEntry, type SASLOptions } from "kafkajs";

export type Environment = Readonly<Record<string, string | undefined>>;

type RegistryAddress = ConstructorParameters<typeof SchemaRegistry>[0];

/** Where the events are, and where they go. */
export interface Settings {
  readonly topic: string;
  readonly kafka: KafkaConfig;
  readonly registry: RegistryAddress;
  /** The folder of the Parquet files. */
  readonly folder: string;
  /** Offsets of one partition that share a file. */
  readonly offsetsPerFile: number;
}

/** The settings of an environment (README.md). @throws an error that names what is not set */
export function readSettings(env: Environment): Settings {
  return {
    topic: `${env["TOPIC_PREFIX"] ?? ""}porting.events`,
    kafka: {
      clientId: "analytics",
      brokers: setting(env, "KAFKA_BROKERS").split(","),
      ssl: tls(env),
      ...login(env),
      logLevel: logLevel.WARN,
      logCreator: () => logLine,
    },
    registry: registryAddress(env),
    folder: folderOf(env),
    offsetsPerFile: Number(setting(env, "OFFSETS_PER_FILE", "10000")),
  };
}

function logLine({ log: { message, broker, error } }: LogEntry): void {
  const at: unknown = broker;
  console.error([message, at, error].filter((part) => part !== undefined).join(" "));
}

export function folderOf(env: Environment): string {
  return setting(env, "DATA_DIR", "data");
}

export function optional(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === "" ? undefined : value;
}

function setting(env: Environment, name: string, otherwise?: string): string {
  const value = optional(env, name) ?? otherwise;
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

function pem(env: Environment, name: string): string | undefined {
  const path = optional(env, name);
  return path === undefined ? undefined : readFileSync(path, "utf8");
}

/** TLS with Kafka; the files are PEM. */
function tls(env: Environment) {
  if (optional(env, "KAFKA_SSL") !== "true") return false;
  const files = {
    ca: pem(env, "KAFKA_SSL_CA_FILE"),
    cert: pem(env, "KAFKA_SSL_CERT_FILE"),
    key: pem(env, "KAFKA_SSL_KEY_FILE"),
  };
  return Object.fromEntries(Object.entries(files).filter(([, file]) => file !== undefined));
}

/** How to log in to Kafka; without KAFKA_SASL_MECHANISM, not at all. */
function login(env: Environment): { sasl?: SASLOptions } {
  const mechanism = optional(env, "KAFKA_SASL_MECHANISM")?.toLowerCase();
  if (mechanism === undefined) return {};
  const username = setting(env, "KAFKA_SASL_USERNAME");
  const password = setting(env, "KAFKA_SASL_PASSWORD");
  if (mechanism === "oauthbearer") {
    const oauthBearerProvider = () => accessToken(env, { username, password });
    return { sasl: { mechanism, oauthBearerProvider } };
  }
  if (mechanism === "plain" || mechanism === "scram-sha-256" || mechanism === "scram-sha-512") {
    return { sasl: { mechanism, username, password } };
  }
  throw new Error("KAFKA_SASL_MECHANISM is not one that this program knows");
}

interface Client {
  readonly username: string;
  readonly password: string;
}

/** A token for each new connection, by the client credentials grant. */
async function accessToken(
  env: Environment,
  { username, password }: Client,
): Promise<{ value: string }> {
  const basic = Buffer.from(`${username}:${password}`).toString("base64");
  const response = await fetch(setting(env, "KAFKA_SASL_TOKEN_URL"), {
    method: "POST",
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      scope: setting(env, "KAFKA_SASL_SCOPE", ""),
    }),
  });
  if (!response.ok) throw new Error(`no token from KAFKA_SASL_TOKEN_URL: ${response.status}`);
  const { access_token: value } = (await response.json()) as { access_token: string };
  return { value };
}

function registryAddress(env: Environment): RegistryAddress {
  const username = optional(env, "SCHEMA_REGISTRY_USERNAME");
  const ca = pem(env, "SCHEMA_REGISTRY_CA_FILE");
  return {
    host: setting(env, "SCHEMA_REGISTRY_URL"),
    ...(ca === undefined ? {} : { agent: new Agent({ ca }) }),
    ...(username === undefined
      ? {}
      : { auth: { username, password: setting(env, "SCHEMA_REGISTRY_PASSWORD") } }),
  };
}
