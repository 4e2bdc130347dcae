/** @tier nightly */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { z } from "zod";
import type { ServiceName } from "../../../infra/start/supervisor/service-table.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import {
  startProductAt,
  testPlace,
  type OwnProduct,
  type ProductPlace,
} from "../../support/product/product.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";
import { createTestTopics, restoreTestTopics } from "../../support/stack/test-topics.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";

/** Of so many, some are certain to move to another partition. */
const ORDERS = 12;
const SERVICES = [
  "api",
  "desk",
  "requirement-review",
  "order-lifecycle",
  "carrier-adapter",
  "sandbox-carrier",
  "platform-carrier",
  "event-log",
  "outbox-relay",
] as const satisfies readonly ServiceName[];

let place: ProductPlace;
let database: pg.Client;
let topicPrefix = "";
let access: Pick<OwnProduct, "apiKey" | "deskToken">;
let env: NodeJS.ProcessEnv = {};
const orderIds: string[] = [];

beforeAll(async () => {
  place = testPlace(await createTestDatabase());
  database = await connectClient(place.databaseUrl);
  topicPrefix = await createTestTopics({ partitions: 2 });
  env = {
    SECRETS_KEY: randomBytes(32).toString("base64"),
    DOCUMENTS_DIR: join(temporaryFolder("partitions"), "documents"),
  };
});

const start = (services: readonly ServiceName[] = SERVICES): Promise<OwnProduct> =>
  startProductAt(place, { services, env, topicPrefix });
const addPartitions = (): Promise<void> => restoreTestTopics(topicPrefix, { partitions: 4 });

async function createOrder({ apiUrl }: OwnProduct): Promise<string> {
  const body = { phone_numbers: [`+1212555${String(8_100 + orderIds.length)}`] };
  const request = { method: "POST", key: access.apiKey, body };
  const made = await call(`${apiUrl}/v2/porting_orders`, request);
  const id = z.string().parse(dataOf(made)[0]?.["id"]);
  orderIds.push(id);
  return id;
}

/** Waits until the outbox is empty and event-log has stored what was published. */
async function waitUntilStored(): Promise<void> {
  await eventually(async () => {
    const { rows } = await database.query<{ missing: number }>(
      `select count(*)::integer as missing from messaging.outbox o
        where not exists (select from messaging.sent_messages s where s.id = o.id and s.day = o.day)
        or (o.topic like '%porting.events' and not exists (select from events.log l where l.id = o.message_id))`,
    );
    expect(rows[0]?.missing).toBe(0);
  });
}

async function reachAll(product: OwnProduct, status: string): Promise<void> {
  for (const id of orderIds) {
    await eventually(async () => {
      const order = await call(`${product.apiUrl}/v2/porting_orders/${id}`, { key: access.apiKey });
      expect(order.body?.["status"]).toBe(status);
    });
  }
}

describe("adding partitions", () => {
  it("is refused while consumers read a topic", async () => {
    const product = await start();
    access = { apiKey: product.apiKey, deskToken: product.deskToken };
    while (orderIds.length < ORDERS - 1) await createOrder(product);
    for (const id of orderIds) {
      await fulfilOrder({ ...product, ...access }, id);
      await submitOrder({ ...product, ...access }, id);
    }
    await reachAll(product, "in_review");
    await expect(addPartitions()).rejects.toMatchObject({
      code: "invalid_state",
      message: expect.stringMatching(/Stop the services first: .* still has members/),
    });
    await waitUntilStored();
    await product.stop();
  });

  it("is refused while a message is unread", async () => {
    const product = await start(["api", "outbox-relay"]);
    const id = await createOrder(product);
    await eventually(async () => {
      const sent = `select from messaging.outbox o join messaging.sent_messages s on s.id = o.id
        where o.key = convert_to($1, 'UTF8')`;
      expect((await database.query(sent, [id])).rowCount).toBeGreaterThan(0);
    });
    await product.stop();
    await expect(addPartitions()).rejects.toMatchObject({
      code: "invalid_state",
      message: expect.stringMatching(/event-log has \d+ to read on .*porting\.events/),
    });
    const all = await start();
    await waitUntilStored();
    await fulfilOrder({ ...all, ...access }, id);
    await submitOrder({ ...all, ...access }, id);
    await reachAll(all, "in_review");
    await waitUntilStored();
    await all.stop();
  });

  it("keeps the events of every order in their order once all has been read", async () => {
    await addPartitions();
    const product = await start();
    for (const id of orderIds) await confirmAtDesk({ ...product, ...access }, id);
    await reachAll(product, "completed");
    await waitUntilStored();

    const { rows } = await database.query<{ order_id: string; numbers: number[] }>(
      `select order_id, array_agg(order_sequence order by seq) as numbers from events.log
        where order_sequence is not null group by order_id`,
    );
    expect(rows.map((row) => row.order_id).sort()).toEqual(orderIds.toSorted());
    for (const { numbers } of rows) expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));

    const messages = await readTopic(testKafka(), `${topicPrefix}porting.events`);
    const partitionsOf = (id: string): Set<number> =>
      new Set(messages.filter(({ key }) => String(key) === id).map((one) => one.partition));
    const moved = orderIds.filter((id) => partitionsOf(id).size > 1);
    expect(moved.length).toBeGreaterThan(0);
  });
});
