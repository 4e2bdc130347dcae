import { z } from "zod";
import { roleOf, SERVICE_USERS, type ServiceUser } from "../services/messages/bus/topic-rights.ts";
import { readEnv } from "../services/platform/config.ts";
import { KAFKA_ADMIN, type KafkaUsers, type RegistryPasswords } from "./local-stack/logins.ts";
import { REGISTRY_ROLE, type RolePasswords } from "./migrate/login-roles.ts";

const password = z.string().optional();

/** A service has one password, for Postgres and for Kafka; who has none cannot log in. */
const schema = z.object({
  API_PASSWORD: password,
  DESK_PASSWORD: password,
  REQUIREMENT_REVIEW_PASSWORD: password,
  ORDER_LIFECYCLE_PASSWORD: password,
  CARRIER_ADAPTER_PASSWORD: password,
  SANDBOX_CARRIER_PASSWORD: password,
  PLATFORM_CARRIER_PASSWORD: password,
  WEBHOOK_SENDER_PASSWORD: password,
  EVENT_LOG_PASSWORD: password,
  OUTBOX_RELAY_PASSWORD: password,
  REGISTRY_PASSWORD: password,
  REGISTRY_READER_PASSWORD: password,
  REGISTRY_WRITER_PASSWORD: password,
  KAFKA_ADMIN_PASSWORD: password,
});

type PasswordName = keyof z.infer<typeof schema>;

export const passwordNames: readonly string[] = Object.keys(schema.shape);

function nameOf(service: ServiceUser): PasswordName {
  return schema.keyof().parse(`${service.toUpperCase().replaceAll("-", "_")}_PASSWORD`);
}

/** The passwords that the environment has, by the names of those who log in with them. */
function passwordsFor(
  env: NodeJS.ProcessEnv,
  names: readonly (readonly [string | null, PasswordName])[],
): Readonly<Record<string, string>> {
  const found = readEnv(schema, env);
  return Object.fromEntries(
    names.flatMap(([name, variable]): [string, string][] => {
      const given = found[variable];
      return name === null || given === undefined ? [] : [[name, given]];
    }),
  );
}

/** Those of Postgres, by role. */
export function readRolePasswords(env: NodeJS.ProcessEnv): RolePasswords {
  const services = SERVICE_USERS.map((service) => [roleOf(service), nameOf(service)] as const);
  return passwordsFor(env, [...services, [REGISTRY_ROLE, "REGISTRY_PASSWORD"]]);
}

/** Those of Kafka, by user. */
export function readKafkaUsers(env: NodeJS.ProcessEnv): KafkaUsers {
  const services = SERVICE_USERS.map((service) => [service, nameOf(service)] as const);
  return passwordsFor(env, [...services, [KAFKA_ADMIN, "KAFKA_ADMIN_PASSWORD"]]);
}

/** Those of the schema registry, each of which has to be given. @throws `invalid_config` */
export function readRegistryPasswords(env: NodeJS.ProcessEnv): RegistryPasswords {
  const required = z.object({
    REGISTRY_READER_PASSWORD: z.string(),
    REGISTRY_WRITER_PASSWORD: z.string(),
  });
  const found = readEnv(required, env);
  return { reader: found.REGISTRY_READER_PASSWORD, writer: found.REGISTRY_WRITER_PASSWORD };
}
