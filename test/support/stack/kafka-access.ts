import { join } from "node:path";
import { KAFKA_ADMIN, kafkaLogin, type KafkaUsers } from "../../../infra/local-stack/logins.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { providerNamesIn } from "../../../services/domain/carrier/read-carriers.ts";
import { providerUser, SERVICE_USERS } from "../../../services/messages/bus/topic-rights.ts";
import { saslVariables, type BusAccess } from "../../../services/platform/command-line.ts";
import {
  readKafkaSecurity,
  type KafkaSecurity,
} from "../../../services/platform/kafka/client-security.ts";
import type { ProductPlace } from "../product/product.ts";

export const TEST_PROVIDERS = providerNamesIn(join(projectRoot, "data", "carriers"));

const names = [KAFKA_ADMIN, ...SERVICE_USERS, ...TEST_PROVIDERS.map(providerUser), "stranger"];

/** The users of every broker of the tests; the stranger has no rights. */
export const TEST_USERS: KafkaUsers = Object.fromEntries(
  names.map((name) => [name, `password-of-${name}`]),
);

/** The variables by which a test, or a service that it starts for itself, may do everything at a broker. */
export function adminVariables(brokers: string): Record<string, string> {
  return { KAFKA_BROKERS: brokers, ...saslVariables(kafkaLogin(TEST_USERS, KAFKA_ADMIN)) };
}

/** The variables by which a service logs in to the brokers of the tests. */
export function variablesOf(user: string): Record<string, string> {
  return saslVariables(kafkaLogin(TEST_USERS, user));
}

/** How a test itself reaches a broker. */
export function adminAccess(brokers: string): {
  readonly brokers: string[];
  readonly security: KafkaSecurity;
} {
  return { brokers: brokers.split(","), security: readKafkaSecurity(adminVariables(brokers)) };
}

/** The same for broker and registry of a place. */
export function adminOf(place: Pick<ProductPlace, "kafkaBrokers" | "registryUrl">): BusAccess {
  return {
    ...adminAccess(place.kafkaBrokers),
    registry: { SCHEMA_REGISTRY_URL: place.registryUrl },
  };
}

/** The passwords of a registry that asks for a login; the tests' own asks for none, and ignores one. */
export const TEST_REGISTRY = { reader: "password-of-reader", writer: "password-of-writer" };

export const TEST_REGISTRY_READER = {
  SCHEMA_REGISTRY_USERNAME: "reader",
  SCHEMA_REGISTRY_PASSWORD: TEST_REGISTRY.reader,
};
