import { providerUser } from "../../services/messages/bus/topic-rights.ts";
import { setClientQuotas, type ClientQuotas } from "../../services/platform/kafka/client-quotas.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import type { KafkaSecurity } from "../../services/platform/kafka/security-config.ts";
import { createLogger } from "../../services/platform/logger.ts";

/** Some 3,000 calls a second, and half of a thread's time. */
const QUOTAS: ClientQuotas = {
  producer_byte_rate: 1024 * 1024,
  consumer_byte_rate: 4 * 1024 * 1024,
  request_percentage: 50,
};

const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 };

export interface QuotasPlace {
  readonly brokers: readonly string[];
  readonly security: KafkaSecurity;
  readonly providers: readonly string[];
}

/**
 * Limits what the user of each provider may cost a broker; returns a line about it. A broker that others run may take no
 * quotas from us: the line says so, and the deployment goes on.
 */
export async function ensureQuotas({ brokers, security, providers }: QuotasPlace): Promise<string> {
  const log = createLogger("topics", "silent");
  const kafka = createKafka({ brokers, security, clientId: "topics", retry: RETRY, log });
  try {
    await setClientQuotas(kafka, providers.map(providerUser), QUOTAS);
    return `quotas: set for ${providers.length} providers`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `quotas: warning: not set (${why}): see “Quotas” in docs/operations.md`;
  }
}
