import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { EndpointSettings } from "../../../services/domain/webhook/rules/endpoint.ts";
import { createEndpoint } from "../../../services/domain/webhook/store/endpoints.ts";
import type { Delivery } from "../../../services/domain/webhook/rules/delivery.ts";
import {
  findDeliveries,
  listDeliveries,
} from "../../../services/domain/webhook/store/deliveries.ts";
import { openBus, type Bus } from "../../../services/messages/bus/bus.ts";
import type { PortingEvent } from "../../../services/messages/generated/porting-event.ts";
import { eventMessage } from "../../../services/domain/event/rules/new-event.ts";
import { idRange } from "../../../services/platform/db/id-range.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import type { RunningService } from "../../../services/platform/run-service.ts";
import { createSecretBox, type SecretBox } from "../../../services/platform/secret-box.ts";
import { readConfig } from "../../../services/webhook-sender/config.ts";
import { startWebhookSender } from "../../../services/webhook-sender/service.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { createTestDatabase, testStack } from "../stack/test-stack.ts";
import { createTestTopics } from "../stack/test-topics.ts";
import { adminVariables } from "../stack/kafka-access.ts";

const log = createLogger("test", "silent");
const { signal } = new AbortController();

export interface WebhookStackOptions {
  readonly retrySchedule: string;
  /** Overrides the senders' configuration, which allows 127.0.0.1. */
  readonly env?: Readonly<Record<string, string>>;
  /** `host:port` of the test's own broker; the run's unless given. */
  readonly kafkaBrokers?: string;
  /** Few unless given; set it in tests of how partitions are assigned. */
  readonly partitions?: number;
  /** False where nothing is published or sent, only stored. */
  readonly onBroker?: boolean;
}

/** Webhook senders on their own database and topics. */
export interface WebhookStack {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly env: Readonly<Record<string, string>>;
  readonly box: SecretBox;
  startSender(env?: Readonly<Record<string, string>>): Promise<RunningService>;
  newAccount(): Promise<string>;
  newEndpoint(
    accountId: string,
    url: string,
    settings?: Partial<EndpointSettings>,
  ): Promise<{ readonly id: string; readonly secret: string }>;
  publish(events: readonly PortingEvent[]): Promise<void>;
  /** All deliveries of an account, oldest first. */
  deliveries(accountId: string): Promise<Delivery[]>;
}

export async function openWebhookStack(options: WebhookStackOptions): Promise<WebhookStack> {
  const { retrySchedule, partitions, onBroker = true } = options;
  const stack = testStack();
  const brokers = options.kafkaBrokers ?? stack.kafka_brokers;
  const database = await createTestDatabase();
  const prefix = await createTestTopics({
    retrySchedule,
    brokers,
    onBroker,
    ...(partitions === undefined ? {} : { partitions }),
  });
  const key = randomBytes(32);
  const env = {
    DATABASE_URL: database.url,
    ...adminVariables(brokers),
    SCHEMA_REGISTRY_URL: stack.schema_registry_url,
    TOPIC_PREFIX: prefix,
    SECRETS_KEY: key.toString("base64"),
    KAFKA_SESSION_TIMEOUT: "6s",
    WEBHOOK_RETRY_SCHEDULE: retrySchedule,
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    ...options.env,
  };
  const config = readConfig({ ...env, DATABASE_ROLE: "none" });
  const bus = await openBus({ config, service: "test", log, signal });
  endAfterTests(() => bus.close());
  const box = createSecretBox([key]);
  return {
    pool: bus.pool,
    bus,
    env,
    box,
    startSender: async (over = {}) => {
      const config = readConfig({ ...env, DATABASE_ROLE: "porting_webhook_sender", ...over });
      const sender = await startWebhookSender({ config, log, signal });
      return { stop: endAfterTests(() => sender.stop()) };
    },
    newAccount: () => newAccount(bus.pool),
    newEndpoint: (accountId, url, settings = {}) =>
      newEndpoint(bus.pool, box, { accountId, settings: { url, ...settings } }),
    publish: async (events) => {
      await bus.producer.send(events.map((event) => eventMessage(bus, event)));
    },
    deliveries: (accountId) => everyDelivery(bus.pool, accountId),
  };
}

/** All pages, each delivery with the bodies of its answers. */
export async function everyDelivery(pool: Pool, accountId: string): Promise<Delivery[]> {
  const all: Delivery[] = [];
  for (let cursorId: string | null = null; ;) {
    const range = idRange({ direction: "asc", cursorId, fetch: 100_000 }, {});
    const { rows, hasMore } = await listDeliveries(pool, { accountId, range, filter: {} });
    all.push(
      ...(await findDeliveries(
        pool,
        accountId,
        rows.map(({ id }) => id),
      )),
    );
    cursorId = rows.at(-1)?.id ?? null;
    if (!hasMore) return all;
  }
}

async function newAccount(pool: Pool): Promise<string> {
  const id = newId(new Date());
  await queryRows(pool, {
    text: "insert into accounts.accounts (id, name, created_at) values ($1, 'test', now())",
    values: [id],
  });
  return id;
}

interface EndpointOf {
  readonly accountId: string;
  readonly settings: Partial<EndpointSettings> & { readonly url: string };
}

async function newEndpoint(pool: Pool, box: SecretBox, { accountId, settings }: EndpointOf) {
  const all: EndpointSettings = {
    description: null,
    enabled_events: [],
    active: true,
    max_per_second: null,
    ...settings,
  };
  const { endpoint, secret } = await inTransaction(pool, (tx) =>
    createEndpoint(tx, { accountId, settings: all, box, now: new Date() }),
  );
  return { id: endpoint.id, secret };
}
