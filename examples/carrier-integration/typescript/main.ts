/**
 * Carries ports for one provider of the Number Porting Service; see the README for its environment
 * variables.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { Agent } from "node:https";
import { join, resolve } from "node:path";
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";
import {
  Kafka,
  logLevel,
  type EachMessagePayload,
  type KafkaMessage,
  type SASLOptions,
} from "kafkajs";

interface CarrierRequest {
  readonly request_id: string;
  readonly kind: string;
  readonly order_id: string | null;
  readonly request_version: number | null;
  readonly phone_numbers: readonly string[] | null;
  readonly foc_requested: string | null;
}

/** What became of an update that was published. */
interface CarrierReceipt {
  readonly update_id: string | null;
  readonly outcome: "applied" | "ignored" | "refused";
  readonly code: string | null;
  readonly detail: string | null;
  readonly source_topic: string;
  readonly source_partition: number;
  readonly source_offset: number;
}

interface StatusUpdate {
  readonly kind: string;
  readonly raw_status: string;
  readonly foc_at?: string;
  readonly phone_numbers?: readonly string[];
}

interface CarrierUpdate extends StatusUpdate {
  readonly update_id: string;
  readonly provider: string;
  readonly order_id: string;
  readonly request_version: number;
  readonly occurred_at: number;
}

function setting(name: string, otherwise?: string): string {
  const value = process.env[name] ?? otherwise;
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

function optional(name: string): string | undefined {
  const value = process.env[name];
  return value === "" ? undefined : value;
}

function pem(name: string): string | undefined {
  const path = optional(name);
  return path === undefined ? undefined : readFileSync(path, "utf8");
}

/** TLS with Kafka; the files are PEM. */
function tls() {
  if (optional("KAFKA_SSL") !== "true") return false;
  const files = {
    ca: pem("KAFKA_SSL_CA_FILE"),
    cert: pem("KAFKA_SSL_CERT_FILE"),
    key: pem("KAFKA_SSL_KEY_FILE"),
  };
  return Object.fromEntries(Object.entries(files).filter(([, file]) => file !== undefined));
}

/** How to log in to Kafka; without KAFKA_SASL_MECHANISM, not at all. */
function login(): { sasl?: SASLOptions } {
  const mechanism = optional("KAFKA_SASL_MECHANISM")?.toLowerCase();
  if (mechanism === undefined) return {};
  const username = setting("KAFKA_SASL_USERNAME");
  const password = setting("KAFKA_SASL_PASSWORD");
  if (mechanism === "oauthbearer") {
    const oauthBearerProvider = () => accessToken(username, password);
    return { sasl: { mechanism, oauthBearerProvider } };
  }
  if (mechanism === "plain" || mechanism === "scram-sha-256" || mechanism === "scram-sha-512") {
    return { sasl: { mechanism, username, password } };
  }
  throw new Error("KAFKA_SASL_MECHANISM is not one that this program knows");
}

/** A token for each new connection, by the client credentials grant. */
async function accessToken(id: string, secret: string): Promise<{ value: string }> {
  const response = await fetch(setting("KAFKA_SASL_TOKEN_URL"), {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      scope: setting("KAFKA_SASL_SCOPE", ""),
    }),
  });
  if (!response.ok) throw new Error(`no token from KAFKA_SASL_TOKEN_URL: ${response.status}`);
  const { access_token: value } = (await response.json()) as { access_token: string };
  return { value };
}

function openRegistry(): SchemaRegistry {
  const username = optional("SCHEMA_REGISTRY_USERNAME");
  const ca = pem("SCHEMA_REGISTRY_CA_FILE");
  return new SchemaRegistry({
    host: setting("SCHEMA_REGISTRY_URL"),
    ...(ca === undefined ? {} : { agent: new Agent({ ca }) }),
    ...(username === undefined
      ? {}
      : { auth: { username, password: setting("SCHEMA_REGISTRY_PASSWORD") } }),
  });
}

const provider = setting("PROVIDER");
const prefix = setting("TOPIC_PREFIX", "");
const updatesTopic = `${prefix}carriers.updates`;
const receiptsTopic = `${prefix}carriers.receipts`;
const dataDir = setting("DATA_DIR", "data");
const portAfterMs = Number(setting("PORT_AFTER_SECONDS", "604800")) * 1_000;
const registry = openRegistry();
const kafka = new Kafka({
  clientId: `${provider}-integration`,
  brokers: setting("KAFKA_BROKERS").split(","),
  ssl: tls(),
  ...login(),
  logLevel: logLevel.WARN,
});
const producer = kafka.producer({
  // No producer's id, which another login could use first; without one a repeated request must not be overtaken.
  idempotent: false,
  maxInFlightRequests: 1,
  allowAutoTopicCreation: false,
});
const consumer = kafka.consumer({
  groupId: setting("GROUP_ID", `${prefix}${provider}-integration`),
  sessionTimeout: 10_000,
  allowAutoTopicCreation: false,
});

/** Call your carrier here. This one accepts everything at once. */
function ask(request: CarrierRequest): readonly StatusUpdate[] {
  switch (request.kind) {
    case "submit":
    case "supplement": {
      const focAt = request.foc_requested ?? new Date(Date.now() + portAfterMs).toISOString();
      return [
        { kind: "acknowledged", raw_status: "SUBMITTED" },
        { kind: "date_confirmed", raw_status: "FOC", foc_at: focAt },
      ];
    }
    case "activate": {
      const numbers = request.phone_numbers ?? [];
      const live = { kind: "number_active", raw_status: "SV_ACTIVE" };
      return [
        { kind: "activating", raw_status: "ACTIVATION_STARTED" },
        ...numbers.map((number) => ({ ...live, phone_numbers: [number] })),
      ];
    }
    case "cancel":
      return [{ kind: "cancel_confirmed", raw_status: "CANCELLED" }];
    default:
      return [];
  }
}

/**
 * The updates of a request, stored before they are published, so that a repeated request gets identical
 * ones.
 */
async function answersTo(request: CarrierRequest): Promise<readonly CarrierUpdate[]> {
  const path = join(dataDir, `${encodeURIComponent(request.request_id)}.json`);
  const kept = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
  if (kept !== null) return JSON.parse(kept) as CarrierUpdate[];
  const answers = ask(request).map((update, step) => ({
    ...update,
    update_id: `${request.request_id}/${step}`,
    provider,
    order_id: request.order_id ?? "",
    request_version: request.request_version ?? 0,
    occurred_at: Date.now(),
  }));
  await writeFile(`${path}.new`, JSON.stringify(answers), { flush: true });
  await rename(`${path}.new`, path);
  return answers;
}

/**
 * The offset is committed after this returns, so a request whose updates were not published is read
 * again.
 */
async function onMessage({ topic, message }: EachMessagePayload): Promise<void> {
  if (message.value === null || message.headers?.["provider"]?.toString() !== provider) return;
  const record: unknown = await registry.decode(message.value);
  if (topic === receiptsTopic) onReceipt(record as CarrierReceipt);
  else await onRequest(record as CarrierRequest, traceOf(message));
}

/** Alert people here: a refused update had no effect, and nobody sends it again. */
function onReceipt(receipt: CarrierReceipt): void {
  const { source_topic, source_partition, source_offset, code, detail } = receipt;
  const place = `${source_topic}/${source_partition}/${source_offset}`;
  const why = code === null ? "" : ` ${code}: ${detail ?? ""}`;
  console.log(`receipt ${receipt.outcome} ${receipt.update_id ?? "-"} at ${place}${why}`);
}

/** Updates with the request's traceparent belong to its trace. */
function traceOf({ headers }: KafkaMessage): { traceparent?: string } {
  const traceparent = headers?.["traceparent"]?.toString();
  return traceparent === undefined ? {} : { traceparent };
}

async function onRequest(request: CarrierRequest, trace: { traceparent?: string }): Promise<void> {
  if (request.order_id === null) {
    console.log(`skipped ${request.kind} ${request.request_id}: it has no order id`);
    return;
  }
  const schemaId = await registry.getLatestSchemaId(`${updatesTopic}-value`);
  for (const update of await answersTo(request)) {
    const value = await registry.encode(schemaId, update);
    await producer.send({
      topic: updatesTopic,
      acks: -1,
      messages: [{ key: update.order_id, value, headers: { provider, ...trace } }],
    });
    console.log(`published ${update.kind} ${update.update_id} of ${update.order_id}`);
  }
}

mkdirSync(dataDir, { recursive: true });
console.log(`keeps its updates in ${resolve(dataDir)} (DATA_DIR)`);
consumer.on(consumer.events.CRASH, ({ payload }) => {
  console.error("the consumer failed:", payload.error);
  if (!payload.restart) process.exit(1);
});
consumer.on(consumer.events.GROUP_JOIN, () => console.log("joined"));
for (const name of ["SIGTERM", "SIGINT"] as const) {
  process.once(name, () => {
    void Promise.allSettled([consumer.disconnect()])
      .then(() => producer.disconnect())
      .finally(() => process.exit());
  });
}
await producer.connect();
await consumer.connect();
const topics = [`${prefix}carriers.requests`, receiptsTopic];
await consumer.subscribe({ topics, fromBeginning: true });
await consumer.run({ eachMessage: onMessage });
