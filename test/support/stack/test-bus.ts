import { openBus, type Bus } from "../../../services/messages/bus/bus.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { adminAccess } from "./kafka-access.ts";
import type { ProductPlace } from "../product/product.ts";

/** A service's bus with the database owner's rights; closed after the tests. */
export async function openTestBus(
  place: ProductPlace & { readonly topicPrefix: string },
  service = "test",
): Promise<Bus> {
  const access = adminAccess(place.kafkaBrokers);
  const bus = await openBus({
    config: {
      DATABASE_URL: place.databaseUrl,
      DATABASE_ROLE: "none",
      DATABASE_POOL_SIZE: 4,
      ...access.security,
      KAFKA_BROKERS: access.brokers,
      SCHEMA_REGISTRY_URL: place.registryUrl,
      TOPIC_PREFIX: place.topicPrefix,
      KAFKA_SESSION_TIMEOUT: 8_000,
    },
    service,
    log: createLogger(service, "silent"),
    signal: new AbortController().signal,
  });
  endAfterTests(() => bus.close());
  return bus;
}
