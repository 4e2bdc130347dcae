import { expect } from "@jest/globals";
import type { Kafka } from "kafkajs";
import pg from "pg";
import { createCodec, type Codec } from "../../../services/messages/codec.ts";
import type { CallUpdate } from "../../../services/messages/generated/call-update.ts";
import type { CarrierRequest } from "../../../services/messages/generated/carrier-request.ts";
import { NOTHING_STATED } from "../../../services/domain/port-out/rules/requester.ts";
import type { PortOutUpdate } from "../../../services/messages/generated/port-out-update.ts";
import {
  outgoing,
  sendRules,
  type OutgoingMessage,
} from "../../../services/messages/bus/outgoing.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createProducer, type Producer } from "../../../services/platform/kafka/producer.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { adminAccess } from "../stack/kafka-access.ts";
import { eventually } from "../eventually.ts";
import { call, dataOf, textOf, type Answer } from "../http/call.ts";
import {
  startOwnProduct,
  type OwnProduct,
  type Product,
  type TestProductOptions,
} from "../product/product.ts";
import { startProduct } from "../product/shared-products.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { readTopic } from "../stack/topic-reader.ts";

/** A customer with numbers on the platform. */
export interface Owner {
  readonly accountId: string;
  readonly key: string;
  api(method: string, path: string, body?: unknown): Promise<Answer>;
}

export interface DeadLetter {
  readonly error_code: string;
  readonly error_detail: string;
  readonly value: Buffer | null;
}

/** A product with active numbers, and the messages that other carriers and the call platform publish to it. */
export interface NumberStack<P extends Product = Product> {
  readonly product: P;
  readonly database: pg.Pool;
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly producer: Producer;
  desk(method: string, path: string, body?: unknown): Promise<Answer>;
  newOwner(): Promise<Owner>;
  /** A new active number of the owner's. */
  newNumber(owner: Owner): Promise<string>;
  publishPortOut(update: PortOutUpdate): Promise<void>;
  publishCalls(updates: readonly CallUpdate[]): Promise<void>;
  /** The requests to carriers, in order within each topic partition. */
  requests(): Promise<CarrierRequest[]>;
  events(owner: Owner, query?: string): Promise<Record<string, unknown>[]>;
  /** Of the messages whose key begins so, such as those of a number; in order within each topic partition. */
  deadLetters(topic: string, keyStart: string): Promise<DeadLetter[]>;
}

const log = createLogger("numbers", "silent");

const SERVICES = [
  "api",
  "desk",
  "requirement-review",
  "order-lifecycle",
  "carrier-adapter",
  "event-log",
  "outbox-relay",
] as const;

/** At the run's shared product; with options, at one of the test's own, with the services that numbers need. */
export async function openNumberStack(): Promise<NumberStack>;
export async function openNumberStack(
  options: TestProductOptions,
): Promise<NumberStack<OwnProduct>>;
export async function openNumberStack(options?: TestProductOptions): Promise<NumberStack> {
  if (options === undefined) return numberStackOf(await startProduct());
  return numberStackOf(await startOwnProduct({ services: SERVICES, ...options }));
}

async function numberStackOf<P extends Product>(product: P): Promise<NumberStack<P>> {
  const { topicPrefix, registryUrl, kafkaBrokers } = product;
  const signal = new AbortController().signal;
  const registry = { SCHEMA_REGISTRY_URL: registryUrl };
  const codec = await createCodec({ registry, topicPrefix, signal, log, clock: systemClock });
  const kafka = createKafka({ ...adminAccess(kafkaBrokers), clientId: "numbers", log });
  const producer = createProducer(kafka, {
    ...{ clock: systemClock, log },
    ...sendRules(topicPrefix),
  });
  endAfterTests(() => producer.stop());
  const database = new pg.Pool({ connectionString: product.databaseUrl, max: 4 });
  endAfterTests(() => database.end());
  const send = async (messages: readonly OutgoingMessage[]): Promise<void> => {
    await producer.send(messages);
  };
  const context = { codec, topicPrefix };
  return {
    product,
    database,
    kafka,
    codec,
    producer,
    desk: (method, path, body) =>
      call(`${product.deskUrl}/desk/v1${path}`, { method, key: product.deskToken, body }),
    newOwner: async () => {
      const url = `${product.deskUrl}/desk/v1/accounts`;
      const body = { name: "Owner" };
      const made = await call(url, { method: "POST", key: product.deskToken, body });
      const key = textOf(made, "api_key");
      return {
        accountId: textOf(made, "id"),
        key,
        api: (method, path, asked) =>
          call(`${product.apiUrl}/v2${path}`, { method, key, body: asked }),
      };
    },
    newNumber: async ({ accountId }) => {
      const number = product.newNumber();
      await database.query(
        `insert into orders.numbers (account_id, phone_number, status, country_code, number_type, provider,
          porting_order_id, activated_at) values ($1, $2, 'active', 'US', 'local', 'sandbox', $3, now())`,
        [accountId, number, crypto.randomUUID()],
      );
      return number;
    },
    publishPortOut: (update) =>
      send([
        outgoing(context, "carriers.port-outs", {
          key: update.phone_numbers[0] ?? "",
          messageId: crypto.randomUUID(),
          message: update,
        }),
      ]),
    publishCalls: (updates) =>
      send(
        updates.map((update) =>
          outgoing(context, "carriers.calls", {
            key: update.phone_number,
            messageId: crypto.randomUUID(),
            message: update,
          }),
        ),
      ),
    requests: async () => {
      const records = await readTopic(kafka, `${topicPrefix}carriers.requests`);
      const requests: CarrierRequest[] = [];
      for (const { value } of records)
        requests.push(await codec.decode("carriers.requests", value));
      return requests;
    },
    events: async (owner, query = "") => {
      const path = `/v2/porting/events?limit=250&order=asc${query}`;
      return dataOf(await call(`${product.apiUrl}${path}`, { key: owner.key }));
    },
    deadLetters: async (topic, keyStart) => {
      const { rows } = await database.query<DeadLetter>(
        `select error_code, error_detail, value from messaging.dead_letters
          where topic = $1 and starts_with(encode(key, 'escape'), $2)
          order by kafka_partition, kafka_offset`,
        [topicPrefix + topic, keyStart],
      );
      return rows;
    },
  };
}

/** Another carrier's request for numbers; `fields` overrides the defaults. */
export function buildPortOutUpdate(fields: Partial<PortOutUpdate> = {}): PortOutUpdate {
  return {
    update_id: crypto.randomUUID(),
    provider: "sandbox",
    port_out_ref: crypto.randomUUID(),
    kind: "requested",
    phone_numbers: [],
    gaining_carrier: "Other Telecom",
    requested_foc: "2026-12-20T10:00:00+01:00",
    attempted_pin: null,
    ...NOTHING_STATED,
    foc_at: null,
    occurred_at: Date.now(),
    ...fields,
  };
}

/** The owner's port-out of a number once it is in the status. */
export async function portOutOf(
  owner: Owner,
  number: string,
  status: string,
): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const path = `/port_outs?phone_number=${encodeURIComponent(number)}`;
    const [found] = dataOf(await owner.api("GET", path));
    expect(found?.["status"]).toBe(status);
    return found ?? {};
  });
}

/** The answers to a carrier under its reference. */
export async function answersOf(stack: NumberStack, ref: string): Promise<CarrierRequest[]> {
  const all = await stack.requests();
  return all.filter((request) => request.port_out?.port_out_ref === ref);
}

/** The first of them, once there is one. */
export async function answerOf(
  stack: NumberStack,
  ref: string,
): Promise<CarrierRequest | undefined> {
  return eventually(async () => {
    const [answer] = await answersOf(stack, ref);
    expect(answer).toBeDefined();
    return answer;
  });
}
