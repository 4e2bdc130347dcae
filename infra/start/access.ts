import { join, resolve } from "node:path";
import { providerNamesIn } from "../../services/domain/carrier/read-carriers.ts";
import { roleOf, providerUser, SERVICE_USERS } from "../../services/messages/bus/topic-rights.ts";
import { registryVariables, saslVariables } from "../../services/platform/command-line.ts";
import type { StackAddresses } from "../local-stack/local-stack.ts";
import {
  ensureKafkaUsers,
  ensurePasswords,
  ensureRegistryPasswords,
  KAFKA_ADMIN,
  kafkaLogin,
  REGISTRY_READER,
  REGISTRY_WRITER,
  registryLogin,
  type KafkaUsers,
  type Passwords,
  type RegistryPasswords,
} from "../local-stack/logins.ts";
import { LOGIN_ROLES, loginUrl } from "../migrate/login-roles.ts";
import type { StartConfig } from "./config.ts";
import type { Credentials } from "./credentials.ts";
import type { ServiceName } from "./supervisor/service-table.ts";

/** How `npm start`, its services and the carriers log in to Kafka. */
export interface KafkaAccess {
  /** False: the Kafka that KAFKA_BROKERS names, to which all log in as the environment says. */
  readonly isOurs: boolean;
  readonly providers: readonly string[];
  readonly users: KafkaUsers;
  readonly adminVariables: NodeJS.ProcessEnv;
  /** A service gets its own password alone. */
  variablesOf(service: ServiceName): NodeJS.ProcessEnv;
  readonly credentials: Pick<Credentials, "kafka_admin" | "kafka_providers">;
}

const NOBODY: KafkaUsers = {};

/** A user for each service and each provider, with a password that later starts keep. */
export function prepareKafkaAccess({ dataDir, existing, carriersDir }: StartConfig): KafkaAccess {
  const providers = providerNamesIn(carriersDir);
  if (existing.kafkaBrokers !== undefined) {
    const variablesOf = () => ({});
    const none = { users: NOBODY, adminVariables: {}, credentials: {} };
    return { isOurs: false, providers, variablesOf, ...none };
  }
  const users = ensureKafkaUsers(dataDir, [...SERVICE_USERS, ...providers.map(providerUser)]);
  const admin = kafkaLogin(users, KAFKA_ADMIN);
  return {
    isOurs: true,
    providers,
    users,
    adminVariables: saslVariables(admin),
    variablesOf: (service) => saslVariables(kafkaLogin(users, service)),
    credentials: {
      kafka_admin: admin,
      kafka_providers: Object.fromEntries(
        providers.map((name) => [name, kafkaLogin(users, providerUser(name))]),
      ),
    },
  };
}

/** How `npm start`, its services and the carriers log in to the schema registry. */
export interface RegistryAccounts {
  /** Null: the registry that SCHEMA_REGISTRY_URL names, to which all log in as the environment says. */
  readonly passwords: RegistryPasswords | null;
  readonly readerVariables: NodeJS.ProcessEnv;
  readonly writerVariables: NodeJS.ProcessEnv;
  readonly credentials: Pick<Credentials, "schema_registry_reader" | "schema_registry_writer">;
}

/** One user that reads and one that registers, with passwords that later starts keep. */
export function prepareRegistryAccess({ dataDir, existing }: StartConfig): RegistryAccounts {
  if (existing.registryUrl !== undefined) {
    return { passwords: null, readerVariables: {}, writerVariables: {}, credentials: {} };
  }
  const passwords = ensureRegistryPasswords(dataDir);
  const reader = registryLogin(passwords, REGISTRY_READER);
  const writer = registryLogin(passwords, REGISTRY_WRITER);
  return {
    passwords,
    readerVariables: registryVariables(reader),
    writerVariables: registryVariables(writer),
    credentials: { schema_registry_reader: reader, schema_registry_writer: writer },
  };
}

/** Those with reads that may lag. */
const READ_REPLICA: readonly ServiceName[] = ["api", "desk"];

/** How the services log in to Postgres. */
export interface DatabaseAccess {
  readonly passwords: Passwords;
  /** A service gets its own login alone, and none where it has no database. */
  variablesOf(service: ServiceName, databaseUrl: string): NodeJS.ProcessEnv;
}

/** A login for each service, with a password that later starts keep; in another Postgres, that of DATABASE_URL. */
export function prepareDatabaseAccess({ dataDir, existing }: StartConfig): DatabaseAccess {
  const isOurs = existing.databaseUrl === undefined;
  const passwords = isOurs
    ? ensurePasswords(join(dataDir, "postgres-logins.json"), LOGIN_ROLES)
    : {};
  const urlOf = (service: ServiceName, databaseUrl: string): string | undefined => {
    const role = roleOf(service);
    if (role === null) return undefined;
    return isOurs ? loginUrl(databaseUrl, role, passwords) : databaseUrl;
  };
  return {
    passwords,
    variablesOf: (service, databaseUrl) => ({
      DATABASE_URL: urlOf(service, databaseUrl),
      // It may have a login in it.
      ...(READ_REPLICA.includes(service) ? {} : { DATABASE_READ_URL: undefined }),
      ...(service === "outbox-relay" ? {} : { DATABASE_REPLICATION_URL: undefined }),
    }),
  };
}

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
