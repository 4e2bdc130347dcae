import { readConfig } from "../../../services/event-log/config.ts";
import { openBus, type Bus } from "../../../services/messages/bus/bus.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import type { ProductPlace } from "../../support/product/product.ts";
import { adminVariables, TEST_REGISTRY_READER } from "../../support/stack/kafka-access.ts";

/** A bus of the run's own, to write events as a service does, with so many connections. */
export function openFaultBus(
  place: ProductPlace,
  topicPrefix: string,
  connections: number,
): Promise<Bus> {
  return openBus({
    config: readConfig({
      DATABASE_URL: place.databaseUrl,
      ...adminVariables(place.kafkaBrokers),
      SCHEMA_REGISTRY_URL: place.registryUrl,
      ...TEST_REGISTRY_READER,
      TOPIC_PREFIX: topicPrefix,
      DATABASE_ROLE: "none",
      DATABASE_POOL_SIZE: String(connections),
    }),
    service: "faults",
    log: createLogger("faults", "silent"),
    signal: new AbortController().signal,
  });
}
