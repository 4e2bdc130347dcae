/** @tier all */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { baseBackup } from "../../infra/backup/base-backup.ts";
import { migrate } from "../../infra/migrate/migrate.ts";
import { DEFAULT_RETRY_SCHEDULE } from "../../services/messages/retry-schedule.ts";
import { eventually } from "../support/eventually.ts";
import { call, dataOf, textOf } from "../support/http/call.ts";
import { temporaryFolder } from "../support/lifetime/temporary-folder.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../support/orders/fulfil-order.ts";
import { startProductAt, type OwnProduct } from "../support/product/product.ts";
import { filesWith } from "../support/secret-traces.ts";
import { startOwnStack } from "../support/stack/own-stack.ts";
import { testStack } from "../support/stack/test-stack.ts";
import { createTestTopics } from "../support/stack/test-topics.ts";

const ACCOUNT_NUMBER = "TB-4402-YL-9183-QN";
const PIN = "w4$Rz81!nKp";
const NUMBER_PIN = "5820174936";
/** No secret: shows that a text in the database is found in its backup. */
const REFERENCE = "reference-of-the-readable-order";

const folder = temporaryFolder("readable");
const archive = join(folder, "archive");
const backups = join(folder, "backups");

let product: OwnProduct;
let secrets: Readonly<Record<string, string>>;

beforeAll(async () => {
  const { kafka_brokers: kafkaBrokers, schema_registry_url: registryUrl } = testStack();
  const stack = await startOwnStack({
    dataDir: join(folder, "data"),
    existing: { kafkaBrokers, registryUrl },
    durable: false,
    walArchive: archive,
    onDatabase: migrate,
  });
  const topicPrefix = await createTestTopics({ retrySchedule: DEFAULT_RETRY_SCHEDULE });
  product = await startProductAt(stack.addresses, { topicPrefix });
  await completeOrder();
  secrets = {
    "account number": ACCOUNT_NUMBER,
    PIN,
    "port-out PIN": NUMBER_PIN,
    "API key": product.apiKey,
    "desk token": product.deskToken,
    ...(await issueSecrets()),
  };
  await baseBackup(product.databaseUrl, backups, new Date());
});

function api(method: string, path: string, body?: unknown) {
  return call(`${product.apiUrl}/v2${path}`, { method, key: product.apiKey, body });
}

/** An order whose carrier gets account number and PIN, and a PIN for its number. */
async function completeOrder(): Promise<void> {
  const phone_numbers = ["+12125550143"];
  const made = await api("POST", "/porting_orders", {
    phone_numbers,
    customer_reference: REFERENCE,
  });
  const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
  await fulfilOrder(product, orderId);
  const values = { account_number: ACCOUNT_NUMBER, pin_passcode: PIN };
  for (const [slug, field_value] of Object.entries(values)) {
    const path = `/porting_orders/${orderId}/requirements/${slug}`;
    expect((await api("PATCH", path, { field_value })).status).toBe(200);
  }
  const signature = { signer_name: "Grace Hopper", signer_title: "Director", consent: true };
  expect((await api("POST", `/porting_orders/${orderId}/loa/sign`, signature)).status).toBe(201);
  await submitOrder(product, orderId);
  await confirmAtDesk(product, orderId);
  const number = `/numbers/${encodeURIComponent("+12125550143")}`;
  await eventually(async () => expect((await api("GET", number)).status).toBe(200));
  expect((await api("PATCH", number, { port_out_pin: NUMBER_PIN })).status).toBe(200);
}

/** Answers that show a secret, under an Idempotency-Key: such an answer is kept, to be repeated. */
async function issueSecrets(): Promise<Record<string, string>> {
  const issue = async (path: string, body: unknown, field: string): Promise<string> => {
    const answer = await call(`${product.apiUrl}/v2${path}`, {
      method: "POST",
      key: product.apiKey,
      headers: { "Idempotency-Key": randomUUID() },
      body,
    });
    return textOf(answer, field);
  };
  const url = "http://127.0.0.1:1024/hook";
  return {
    "second API key": await issue("/api_keys", { name: "second" }, "key"),
    "signing secret": await issue("/webhook_endpoints", { url }, "signing_secret"),
  };
}

describe("a base backup and the archive of the write-ahead log", () => {
  it("contain no PIN, account number, key, token or signing secret that can be read", () => {
    expect(filesWith(backups, [REFERENCE])).not.toEqual([]);
    expect(filesWith(archive, [REFERENCE])).not.toEqual([]);
    for (const secret of Object.values(secrets)) expect(secret.length).toBeGreaterThan(9);
    const texts = Object.values(secrets);
    expect(filesWith(backups, texts)).toEqual([]);
    expect(filesWith(archive, texts)).toEqual([]);
  });
});
