/** @tier all */
import { copyFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { z } from "zod";
import { baseBackup } from "../../../infra/backup/base-backup.ts";
import { linesOf, reconcileDatabase } from "../../../infra/backup/reconcile.ts";
import { restore } from "../../../infra/backup/restore.ts";
import type { LocalStack } from "../../../infra/local-stack/local-stack.ts";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { startProductAt, type OwnProduct } from "../../support/product/product.ts";
import { testStack } from "../../support/stack/test-stack.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { startOwnStack } from "../../support/stack/own-stack.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";
import { DEFAULT_RETRY_SCHEDULE } from "../../../services/messages/retry-schedule.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";
import { adminOf } from "../../support/stack/kafka-access.ts";

const folder = temporaryFolder("backup");
const homes = { first: join(folder, "first"), second: join(folder, "second") };
const archive = join(folder, "archive");
const secretsKey = randomBytes(32).toString("base64");
const env = { SECRETS_KEY: secretsKey, DOCUMENTS_DIR: join(folder, "documents") };
let receiver: WebhookReceiver;
let serial = 0;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});

async function startDatabase(dataDir: string): Promise<LocalStack> {
  const { kafka_brokers: kafkaBrokers, schema_registry_url: registryUrl } = testStack();
  const existing = { kafkaBrokers, registryUrl };
  const options = { existing, durable: false, walArchive: archive, onDatabase: migrate };
  return startOwnStack({ dataDir, ...options });
}

function startServices(stack: LocalStack, topicPrefix: string): Promise<OwnProduct> {
  return startProductAt(stack.addresses, { env, topicPrefix });
}

async function createOrder({ apiUrl, apiKey: key }: OwnProduct): Promise<string> {
  serial += 1;
  const body = { phone_numbers: [`+1212555${String(2_000 + serial)}`] };
  const made = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return z.string().parse(dataOf(made)[0]?.["id"]);
}

async function walk(product: OwnProduct, orderId: string): Promise<void> {
  await fulfilOrder(product, orderId);
  await submitOrder(product, orderId);
  await confirmAtDesk(product, orderId);
  await waitForStatus(product, orderId, "completed");
}

async function waitForStatus(product: OwnProduct, orderId: string, status: string): Promise<void> {
  const url = `${product.apiUrl}/v2/porting_orders/${orderId}`;
  await eventually(async () => {
    const order = await call(url, { key: product.apiKey });
    expect(order.body?.["status"]).toBe(status);
  });
}

/** Orders created ahead of the events received, so that a slow machine is not left with a backlog of minutes. */
const MOST_AHEAD = 25;

/** Creates orders and carries some of them out until stopped; returns the ids of the latter. */
function startLoad(product: OwnProduct): () => Promise<readonly string[]> {
  const over = new AbortController();
  const walked: string[] = [];
  const create = async (): Promise<void> => {
    for (let made = 0; !over.signal.aborted; made += 1) {
      await createOrder(product);
      await eventually(() => {
        if (!over.signal.aborted) expect(made - receivedIds().length).toBeLessThan(MOST_AHEAD);
      });
    }
  };
  const walkOn = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const orderId = await createOrder(product);
      await walk(product, orderId);
      walked.push(orderId);
    }
  };
  const ended = Promise.all([create(), walkOn(), walkOn()]);
  return async () => {
    over.abort();
    await ended;
    return walked;
  };
}

async function rowsOf(url: string, text: string): Promise<Record<string, unknown>[]> {
  return withConnection(
    url,
    async (client: pg.Client) => (await client.query<Record<string, unknown>>(text)).rows,
  );
}

/** Queries that return no rows in a consistent database. */
const FAULTS = {
  feed: `select l.account_id from events.log l join events.feed_counters c using (account_id)
    group by l.account_id, c.last_seq
    having count(*) <> c.last_seq or max(l.seq) <> c.last_seq or min(l.seq) <> 1`,
  chains: `select sequence_key from events.log where order_sequence is not null group by sequence_key
    having count(*) <> max(order_sequence) or count(distinct order_sequence) <> count(*)`,
  orders: `select o.id, o.event_sequence, s.top from orders.porting_orders o
    left join (select sequence_key, max(order_sequence) as top from events.log group by 1) s
      on s.sequence_key = o.id::text
    where o.event_sequence <> coalesce(s.top, 0)`,
  statuses: `select o.id, o.status, s.status as published from orders.porting_orders o
    join lateral (select convert_from(l.body, 'UTF8')::json -> 'payload' ->> 'new_status' as status
      from events.log l where l.order_id = o.id and l.type = 'porting_order.status_changed'
      order by l.order_sequence desc limit 1) s on true
    where o.status <> s.status and not exists
      (select from messaging.orphans r where r.order_id = o.id)`,
  outbox: `select id from messaging.outbox_progress where waits`,
  deliveries: `select id from webhooks.deliveries where status in ('pending', 'retrying')`,
};

async function faultsOf(url: string): Promise<Record<string, unknown[]>> {
  const found = Object.entries(FAULTS).map(
    async ([name, text]) => [name, await rowsOf(url, text)] as const,
  );
  return Object.fromEntries(await Promise.all(found));
}

const WHOLE = Object.fromEntries(Object.keys(FAULTS).map((name) => [name, []]));

async function idsOf(url: string, text: string): Promise<Set<unknown>> {
  return new Set((await rowsOf(url, text)).map(({ id }) => id));
}

function receivedIds(from = 0): string[] {
  const received = receiver.received.slice(from);
  return received.map(({ headers }) => String(headers["porting-event-id"]));
}

describe("a backup taken under load", () => {
  it("restores to an instant; later events on the topics are kept and not published again", async () => {
    const first = await startDatabase(homes.first);
    const topicPrefix = await createTestTopics({ retrySchedule: DEFAULT_RETRY_SCHEDULE });
    const product = await startServices(first, topicPrefix);
    const { databaseUrl: url } = first.addresses;
    const hook = { url: `${receiver.url}/hook` };
    const endpoint = { method: "POST", key: product.apiKey, body: hook };
    expect((await call(`${product.apiUrl}/v2/webhook_endpoints`, endpoint)).status).toBe(201);

    const endBefore = startLoad(product);
    await eventually(() => expect(receivedIds().length).toBeGreaterThan(60));
    const { folder: base } = await baseBackup(url, join(folder, "backups"), new Date());
    const receivedAtBase = receivedIds().length;
    await eventually(() => expect(receivedIds().length).toBeGreaterThan(receivedAtBase + 40));
    const [row] = await rowsOf(url, "select clock_timestamp() as now");
    const instant = z.date().parse(row?.["now"]);
    const receivedAtInstant = receivedIds().length;
    await eventually(() => expect(receivedIds().length).toBeGreaterThan(receivedAtInstant + 60));
    const walked = await endBefore();
    expect(walked.length).toBeGreaterThan(1);
    await eventually(async () => expect(await faultsOf(url)).toEqual(WHOLE));
    const logged = await idsOf(url, "select id from events.log");
    await product.stop();
    await first.stop();
    const receivedBefore = receivedIds();

    await restore({
      base,
      walArchive: archive,
      dataDir: homes.second,
      until: instant,
      timeoutMs: 60_000,
    });
    copyFileSync(join(homes.first, "postgres-password"), join(homes.second, "postgres-password"));
    const second = await startDatabase(homes.second);
    const { databaseUrl: restored } = second.addresses;
    expect(await rowsOf(restored, FAULTS.feed)).toEqual([]);
    const before = await idsOf(restored, "select id from events.log");
    expect(before.size).toBeLessThan(logged.size);
    // Deliveries pending at that instant, received since or not: only these may be sent again, with the same ids.
    const mayRepeat = await idsOf(
      restored,
      "select event_id as id from webhooks.deliveries where status in ('pending', 'retrying')",
    );

    const place = { databaseUrl: restored, bus: adminOf(second.addresses) };
    const reconciled = await reconcileDatabase(place, product.topicPrefix);
    const lines = linesOf(reconciled);
    const [events] = reconciled.orphans.filter(({ topic }) => topic.endsWith("porting.events"));
    expect(events?.accounts).toHaveLength(1);
    expect(lines.find((line) => line.startsWith("ALARM"))).toMatch(
      /messages whose cause the database has lost, the first [0-9a-f-]{36}$/,
    );
    const after = await idsOf(restored, "select id from events.log");
    expect(after).toEqual(logged);
    expect(reconciled.moved.length).toBeGreaterThan(0);
    const again = await reconcileDatabase(place, product.topicPrefix);
    expect([again.orphans, again.moved, again.withheld]).toEqual([reconciled.orphans, [], 0]);

    const resumed = await startServices(second, product.topicPrefix);
    const key = { ...resumed, apiKey: product.apiKey };
    await walk(key, await createOrder(key));
    await eventually(async () => expect(await faultsOf(restored)).toEqual(WHOLE));
    const onTopic = await readTopic(testKafka(), `${product.topicPrefix}porting.events`);
    const complete = await idsOf(restored, "select id from events.log");
    expect(new Set(onTopic.map(({ messageId }) => messageId))).toEqual(complete);

    const knownIds = new Set(receivedBefore);
    const repeated = receivedIds(receivedBefore.length).filter((id) => knownIds.has(id));
    expect(repeated.filter((id) => !mayRepeat.has(id))).toEqual([]);
    expect(
      [...complete].filter(
        (id) => !knownIds.has(String(id)) && !receivedIds().includes(String(id)),
      ),
    ).toEqual([]);
  }, 900_000);
});
