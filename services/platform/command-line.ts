import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Command } from "commander";
import { readRegistryAccess, type RegistryAccess } from "./avro/registry-connection.ts";
import { AppError } from "./errors.ts";
import { readKafkaSecurity, SASL_MECHANISMS, type KafkaSecurity } from "./kafka/client-security.ts";

/** The parts of the process that are used, so that a test can pass its own. */
export interface CommandLineHost {
  readonly argv: readonly string[];
  readonly stderr: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
}

/**
 * Runs a command line program. An AppError is printed as one line on standard error with exit code 1; any
 * other error is rethrown with its stack trace.
 */
export async function runCommandLine(
  program: Command,
  host: CommandLineHost = process,
): Promise<void> {
  try {
    await program.parseAsync(host.argv);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    host.stderr.write(`${error.message}\n`);
    host.exitCode = 1;
  }
}

const credentials = z.object({
  database_url: z.string().min(1),
  kafka_brokers: z.string().min(1),
  /** Absent where npm start uses another Kafka than its own. */
  kafka_admin: z
    .object({ mechanism: z.enum(SASL_MECHANISMS), username: z.string(), password: z.string() })
    .optional(),
  schema_registry_url: z.string().min(1),
  /** Absent where npm start uses another registry than its own. */
  schema_registry_writer: z.object({ username: z.string(), password: z.string() }).optional(),
});

type Credentials = z.infer<typeof credentials>;

/** The address variables, and the fields in which `npm start` records the same addresses. */
const FIELDS = {
  DATABASE_URL: "database_url",
  KAFKA_BROKERS: "kafka_brokers",
  SCHEMA_REGISTRY_URL: "schema_registry_url",
} as const satisfies Record<string, keyof Credentials>;

type AddressName = keyof typeof FIELDS;

/** Kafka and the schema registry, as a program reaches them. */
export interface BusAccess {
  readonly brokers: readonly string[];
  readonly security: KafkaSecurity;
  readonly registry: RegistryAccess;
}

/**
 * The database for a command line program: from the environment, else from the running `npm start`.
 * @throws `invalid_config` where both lack it
 */
export async function findDatabaseUrl(env: NodeJS.ProcessEnv): Promise<string> {
  return findAddress(env, "DATABASE_URL");
}

/**
 * Kafka and the registry for a command line program. Those that the environment names are reached with the
 * environment's credentials, those of the running `npm start` as their administrator. @throws `invalid_config`
 */
export async function findBusAccess(env: NodeJS.ProcessEnv): Promise<BusAccess> {
  const registry = await findRegistry(env);
  const brokers = (await findAddress(env, "KAFKA_BROKERS")).split(",");
  const isNamed = (env["KAFKA_BROKERS"] ?? "") !== "";
  const admin = isNamed ? undefined : (await readRunning(env, "KAFKA_BROKERS")).kafka_admin;
  return {
    brokers,
    security: readKafkaSecurity(admin === undefined ? env : saslVariables(admin)),
    registry: readRegistryAccess({ ...env, ...registry }),
  };
}

async function findRegistry(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const url = await findAddress(env, "SCHEMA_REGISTRY_URL");
  if ((env["SCHEMA_REGISTRY_URL"] ?? "") !== "") return { SCHEMA_REGISTRY_URL: url };
  const { schema_registry_writer: writer } = await readRunning(env, "SCHEMA_REGISTRY_URL");
  return { SCHEMA_REGISTRY_URL: url, ...(writer === undefined ? {} : registryVariables(writer)) };
}

export interface RegistryLogin {
  readonly username: string;
  readonly password: string;
}

/** The variables of a client that logs in to the registry so, without TLS, whatever was inherited. */
export function registryVariables({ username, password }: RegistryLogin) {
  return {
    SCHEMA_REGISTRY_USERNAME: username,
    SCHEMA_REGISTRY_PASSWORD: password,
    SCHEMA_REGISTRY_CA_FILE: "",
  } as const;
}

export interface SaslLogin {
  readonly mechanism: NonNullable<KafkaSecurity["KAFKA_SASL_MECHANISM"]>;
  readonly username: string;
  readonly password: string;
}

/** The variables of a client without TLS that logs in so; the others are empty, whatever was inherited. */
export function saslVariables({ mechanism, username, password }: SaslLogin) {
  return {
    KAFKA_SSL: "",
    KAFKA_SSL_CA_FILE: "",
    KAFKA_SSL_CERT_FILE: "",
    KAFKA_SSL_KEY_FILE: "",
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
    KAFKA_SASL_TOKEN_URL: "",
    KAFKA_SASL_SCOPE: "",
  } as const satisfies Record<keyof KafkaSecurity, string>;
}

async function findAddress(env: NodeJS.ProcessEnv, name: AddressName): Promise<string> {
  const given = env[name] ?? "";
  return given === "" ? (await readRunning(env, name))[FIELDS[name]] : given;
}

async function readRunning(env: NodeJS.ProcessEnv, missing: AddressName): Promise<Credentials> {
  const path = join(env["DATA_DIR"] ?? ".data", "credentials.json");
  try {
    return credentials.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    const detail = `${missing} is not set and ${path} does not contain it: is npm start running?`;
    throw new AppError("invalid_config", detail, { cause });
  }
}
