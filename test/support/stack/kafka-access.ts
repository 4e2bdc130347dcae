import type { BusAccess } from "../../../services/platform/command-addresses.ts";
import {
  readKafkaSecurity,
  type KafkaSecurity,
} from "../../../services/platform/kafka/security-config.ts";
import type { ProductPlace } from "../product/product.ts";

/** The variables by which a test, or a service that it starts for itself, may do everything at a broker. */
export function adminVariables(brokers: string): Record<string, string> {
  return { KAFKA_BROKERS: brokers };
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
