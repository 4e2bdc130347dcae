/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { startProductAt, testPlace, type OwnProduct } from "../../support/product/product.ts";
import { createLogin, letAssumeRoles, type TestLogin } from "../../support/stack/test-login.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import { DEFAULT_RETRY_SCHEDULE } from "../../../services/messages/retry-schedule.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

let database: TestDatabase;
let login: TestLogin;
let product: OwnProduct;
let receiver: WebhookReceiver;

beforeAll(async () => {
  database = await createTestDatabase();
  login = await createLogin(database.url);
  await letAssumeRoles(database.url, login);
  // The outbox is read from the log, for which no role can be assumed.
  await withConnection(database.url, (client) =>
    client.query(`alter role ${login.name} replication`),
  );
  receiver = await startWebhookReceiver();
  const topicPrefix = await createTestTopics({ retrySchedule: DEFAULT_RETRY_SCHEDULE });
  const env = { DATABASE_URL: login.url };
  product = await startProductAt(testPlace(database), { env, topicPrefix });
});

describe("services whose login can only assume their roles", () => {
  it("do all their work", async () => {
    const { apiUrl, apiKey: key } = product;
    await call(`${apiUrl}/v2/webhook_endpoints`, {
      method: "POST",
      key,
      body: { url: receiver.url },
    });
    const body = { phone_numbers: ["+12125550143"] };
    const made = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
    const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
    await fulfilOrder(product, orderId);
    await submitOrder(product, orderId);
    await confirmAtDesk(product, orderId);
    await eventually(async () => {
      const order = await call(`${apiUrl}/v2/porting_orders/${orderId}`, { key });
      expect(order.body?.["status"]).toBe("completed");
    });
    await eventually(() => {
      const ids = receiver.received.map((one) => String(one.headers["webhook-id"]));
      expect(new Set(ids).size).toBeGreaterThan(10);
    });
  });

  it("use no other login to the database", async () => {
    const logins = await withConnection(database.url, (client) =>
      client.query<{ name: string; usename: string }>(
        `select application_name as name, usename from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      ),
    );
    expect(new Set(logins.rows.map((row) => row.usename))).toEqual(new Set([login.name]));
    expect(new Set(logins.rows.map((row) => row.name)).size).toBeGreaterThanOrEqual(7);
  });
});
