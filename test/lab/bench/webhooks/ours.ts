import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Pool as HttpPool } from "undici";
import { z } from "zod";
import { startLocalStack, type LocalStack } from "../../../../infra/local-stack/local-stack.ts";
import { databaseUrl, ensureDatabase } from "../../../../infra/local-stack/postgres.ts";
import { migrate } from "../../../../infra/migrate/migrate.ts";
import { SERVICE_NAMES } from "../../../../infra/start/supervisor/service-table.ts";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { eventMessage } from "../../../../services/domain/event/rules/new-event.ts";
import { createCodec, type Codec } from "../../../../services/messages/codec.ts";
import { systemClock } from "../../../../services/platform/clock.ts";
import { type DividedPool, createPool } from "../../../../services/platform/db/pool.ts";
import { AppError } from "../../../../services/platform/errors.ts";
import { newId } from "../../../../services/platform/ids.ts";
import { createLogger } from "../../../../services/platform/logger.ts";
import { writeOutbox, type OutgoingMessage } from "../../../../services/platform/outbox/outbox.ts";
import { call } from "../../../support/http/call.ts";
import { buildEvent } from "../../../support/orders/event-factory.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { TEST_LOGINS } from "../../../support/stack/database-access.ts";
import { phoneNumbers } from "../../faults/phone-numbers.ts";
import { REFUSALS } from "../../faults/ask.ts";
import { countTransactions, monotonicMs, readBloat, storedBytes, type Bloat } from "./usage.ts";
import type { Pace, SystemContext, WebhookSystem } from "./system.ts";

/** Starts pieces of work at a steady rate, whether or not earlier ones have ended, until one fails. */
async function keepPace({ count, perSecond }: Pace, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  const failure = new AbortController();
  for (let n = 0; n < count && !failure.signal.aborted; n += 1) {
    const waitMs = startedAt + (n * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    const piece = work();
    piece.catch(() => failure.abort());
    running.push(piece);
  }
  await Promise.all(running);
}

const COMMITTERS = 8;
const EVENT = "porting_order.created";
const PARTS = ["postgres", "kafka", "registry"] as const;
const log = createLogger("bench", "silent");

const createdEndpoint = z.object({ signing_secret: z.string() });
const createdOrders = z.object({ data: z.array(z.object({ id: z.string() })) });
const counted = z.object({ count: z.coerce.number() });
const logged = z.object({ id: z.string(), order_id: z.string() });

/** The whole product, with every service, on its own stack with durable settings. */
export async function startOurs(context: SystemContext): Promise<WebhookSystem> {
  const stack = await startLocalStack({
    dataDir: context.folder,
    ...TEST_LOGINS,
    log: context.log,
  });
  try {
    const { databaseUrl: server, kafkaBrokers, registryUrl } = stack.addresses;
    const own = databaseUrl(server, `bench_${randomBytes(4).toString("hex")}`);
    await ensureDatabase(databaseUrl(server, "postgres"), new URL(own).pathname.slice(1));
    await migrate(own);
    const place = { databaseUrl: own, kafkaBrokers, registryUrl };
    // As shipped; tests use smaller pools because they share a stack.
    const product = await startProductAt(place, { env: { DATABASE_POOL_SIZE: "10" } });
    const { topicPrefix } = product;
    const { signal } = new AbortController();
    const registry = { SCHEMA_REGISTRY_URL: registryUrl };
    const codec = await createCodec({ registry, topicPrefix, signal, log, clock: systemClock });
    return new Ours({ stack, product, codec, endpoints: context.endpoints });
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

interface OurParts {
  readonly stack: LocalStack;
  readonly product: OwnProduct;
  readonly codec: Codec;
  readonly endpoints: readonly string[];
}

class Ours implements WebhookSystem {
  readonly name = "ours";
  readonly publisherPid = process.pid;
  readonly #parts: OurParts;
  readonly #pool: DividedPool;
  readonly #http: HttpPool;
  readonly #secrets: string[] = [];
  readonly #numbers = phoneNumbers();

  constructor(parts: OurParts) {
    this.#parts = parts;
    const { databaseUrl: url, apiUrl } = parts.product;
    this.#pool = createPool({ url, service: "bench", size: COMMITTERS, log });
    this.#http = new HttpPool(apiUrl, { connections: 16 });
  }

  get processes(): ReadonlyMap<number, string> {
    const { stack, product } = this.#parts;
    const pids = [
      ...PARTS.map((part) => [stack.part(part).pid, part] as const),
      ...SERVICE_NAMES.map((name) => [product.supervisor.service(name).program.pid, name] as const),
    ];
    return new Map(pids.map(([pid, name]) => [pid ?? 0, name]));
  }

  /** Endpoints are created as needed and never removed. */
  async useEndpoints(count: number): Promise<void> {
    const { product, endpoints } = this.#parts;
    for (const url of endpoints.slice(this.#secrets.length, count)) {
      const answer = await call(`${product.apiUrl}/v2/webhook_endpoints`, {
        method: "POST",
        key: product.apiKey,
        body: { url, enabled_events: [EVENT] },
      });
      this.#secrets.push(createdEndpoint.parse(answer.body).signing_secret);
    }
  }

  /** The outbox rows that creating orders would write, a transaction each. */
  async prepareBurst(count: number): Promise<() => Promise<void>> {
    const newRow = await this.#newRows();
    const rows = Array.from({ length: count }, () => newRow().row);
    return async () => {
      const left = rows.values();
      const commitAll = async (): Promise<void> => {
        for (const row of left) {
          await writeOutbox(this.#pool, [row]);
        }
      };
      await Promise.all(Array.from({ length: COMMITTERS }, commitAll));
    };
  }

  async paceCommits(pace: Pace): Promise<ReadonlyMap<string, number>> {
    const confirmedAt = new Map<string, number>();
    const newRow = await this.#newRows();
    await keepPace(pace, async () => {
      const { id, row } = newRow();
      try {
        await writeOutbox(this.#pool, [row]);
      } catch (error) {
        if (error instanceof AppError && error.retryable) return; // More than the database takes.
        throw error;
      }
      confirmedAt.set(id, monotonicMs());
    });
    return confirmedAt;
  }

  transactions(): Promise<number> {
    return countTransactions(this.#pool);
  }

  storedBytes(): Promise<number> {
    return storedBytes(this.#pool);
  }

  bloat(): Promise<Bloat> {
    return readBloat(this.#pool);
  }

  /** Orders, created over REST. */
  async pace(pace: Pace): Promise<ReadonlyMap<string, number>> {
    const answeredAt = new Map<string, number>();
    await keepPace(pace, async () => {
      const { statusCode, body } = await this.#http.request({
        path: "/v2/porting_orders",
        method: "POST",
        headers: {
          authorization: `Bearer ${this.#parts.product.apiKey}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ phone_numbers: [this.#numbers.next().value] }),
      });
      const at = monotonicMs();
      const answer = await body.json();
      if (REFUSALS.has(statusCode)) return; // More than the API takes.
      if (statusCode !== 201) throw new Error(`create returned ${statusCode}`);
      for (const { id } of createdOrders.parse(answer).data) answeredAt.set(id, at);
    });
    return this.#byEvent(answeredAt);
  }

  async recorded(): Promise<number> {
    const { rows } = await this.#pool.query(
      "select count(*) from webhooks.deliveries where status = 'succeeded'",
    );
    return counted.parse(rows[0]).count;
  }

  secretOf(endpoint: number): string {
    return this.#secrets[endpoint] ?? "";
  }

  async stop(): Promise<void> {
    const { stack, product } = this.#parts;
    await this.#pool.end();
    await this.#http.destroy();
    await product.stop();
    await stack.stop();
  }

  /** Makes outbox rows of events, each of an order of its own. */
  async #newRows(): Promise<() => { readonly id: string; readonly row: OutgoingMessage }> {
    const { codec, product } = this.#parts;
    const accounts = await this.#pool.query("select id from accounts.accounts limit 1");
    const account = z.object({ id: z.string() }).parse(accounts.rows[0]).id;
    const context = { codec, topicPrefix: product.topicPrefix };
    return () => {
      const at = new Date();
      const [id, orderId] = [newId(at), newId(at)];
      const envelope = { id, account_id: account, order_id: orderId, created_at: at };
      const event = buildEvent(EVENT, { ...envelope, sequence_key: orderId });
      return { id, row: eventMessage(context, event) };
    };
  }

  /** Maps order ids to event ids: the API's answer names the order, a delivery the event. */
  async #byEvent(byOrder: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    const byEvent = new Map<string, number>();
    const query = {
      text: "select id, order_id from events.log where type = $1 and order_id = any($2)",
      values: [EVENT, [...byOrder.keys()]],
    };
    const isComplete = async (): Promise<boolean> => {
      const { rows } = await this.#pool.query(query);
      for (const { id, order_id: orderId } of z.array(logged).parse(rows)) {
        byEvent.set(id, byOrder.get(orderId) ?? Infinity);
      }
      return byEvent.size >= byOrder.size;
    };
    await until(isComplete, { timeoutMs: 60_000, what: "every event to be logged", everyMs: 500 });
    return byEvent;
  }
}
