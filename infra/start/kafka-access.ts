import { providerNamesIn } from "../../services/domain/carrier/read-carriers.ts";
import { providerUser, SERVICE_USERS } from "../../services/messages/bus/topic-rights.ts";
import { saslVariables } from "../../services/platform/command-line.ts";
import {
  ensureKafkaUsers,
  KAFKA_ADMIN,
  kafkaLogin,
  type KafkaUsers,
} from "../local-stack/kafka-users.ts";
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
