import { setTimeout as wait } from "node:timers/promises";
import type { Providers } from "../../domain/carrier/rules/provider.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { listStuckPartitions } from "../../platform/kafka/first-batches.ts";
import { fetchGroupLags, type GroupLag } from "../../platform/kafka/group-positions.ts";
import { isOurGroup } from "./our-groups.ts";
import { presentHealth, type JudgedHealth } from "./present-health.ts";
import { listSamples } from "./store/health-samples.ts";
import { readStoredHealth } from "./store/stored-health.ts";

const BROKER_MS = 5_000;
const HOUR_MS = 60 * 60 * 1_000;

/** Reads and judges the health; all who ask meanwhile get the same answer. */
export class HealthReader {
  readonly #bus: Bus;
  readonly #providers: Providers;
  #reading: Promise<JudgedHealth> | null = null;

  constructor(bus: Bus, providers: Providers) {
    this.#bus = bus;
    this.#providers = providers;
  }

  read(): Promise<JudgedHealth> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<JudgedHealth> {
    const { pool, clock, topicPrefix } = this.#bus;
    const now = clock.now();
    const [stored, stuck, samples, lags] = await Promise.all([
      readStoredHealth(pool),
      listStuckPartitions(pool, topicPrefix),
      listSamples(pool, new Date(now.getTime() - HOUR_MS)),
      lagsOrNull(this.#bus),
    ]);
    const providers = [...this.#providers.keys()];
    const withoutPrefix = stuck.map((one) => ({
      ...one,
      topic: one.topic.slice(topicPrefix.length),
    }));
    return presentHealth({ stored, stuck: withoutPrefix, samples, lags, providers, now });
  }
}

/** Null where the broker does not answer in time: the rest of the answer is needed most then. */
async function lagsOrNull(bus: Bus): Promise<readonly GroupLag[] | null> {
  const { topicPrefix: prefix } = bus;
  const given = new AbortController();
  const late = wait(BROKER_MS, null, { signal: given.signal }).catch(() => null);
  const isOurs = (name: string): boolean =>
    name.startsWith(prefix) && isOurGroup(name.slice(prefix.length));
  const fetched = fetchGroupLags(bus.kafka, isOurs).catch((error: unknown) => {
    bus.log.warn({ err: error }, "the broker did not report its consumers' lag");
    return null;
  });
  const lags = await Promise.race([fetched, late]);
  given.abort();
  if (lags === null) return null;
  return lags.map((lag) => ({
    ...lag,
    group: lag.group.slice(prefix.length),
    topic: lag.topic.slice(prefix.length),
  }));
}
