/** @tier all */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { pinMatches, sealPin } from "../../../services/domain/number/rules/port-out-pin.ts";
import { readRequirementValues } from "../../../services/domain/requirement/store/requirement-values.ts";
import { SEALED_PLACES } from "../../../infra/secrets/store/rewrap.ts";
import { createSecretBox, keyIdOf } from "../../../services/platform/secret-box.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { startProductAt, testPlace, type OwnProduct } from "../../support/product/product.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import { signatureHeaders } from "../../../services/domain/webhook/rules/signature.ts";
import { DEFAULT_RETRY_SCHEDULE } from "../../../services/messages/retry-schedule.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const PROGRAM = join(import.meta.dirname, "../../../infra/secrets/main.ts");
const SERVICES = [
  "api",
  "desk",
  "requirement-review",
  "event-log",
  "outbox-relay",
  "webhook-sender",
] as const;
const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const ACCOUNT_NUMBER = "AC-778812";
const PIN = "4711";
const PIN_OWNER = {
  account_id: "019b76da-a800-7000-8000-000000000003",
  phone_number: "+12125553999",
};
const REPLAY = { "Idempotency-Key": "the-endpoint" };

let database: TestDatabase;
let product: OwnProduct;
let receiver: WebhookReceiver;
let key: string;
let orderId: string;
let line = 100;
const secrets = { first: "", second: "", account: "" };

function keyList(...keys: readonly Buffer[]): string {
  return keys.map((one) => one.toString("base64")).join(",");
}

async function start(secretsKey: string): Promise<OwnProduct> {
  const topicPrefix = await createTestTopics({ retrySchedule: DEFAULT_RETRY_SCHEDULE });
  const env = { SECRETS_KEY: secretsKey };
  return startProductAt(testPlace(database), { services: SERVICES, env, topicPrefix });
}

/** Runs the command as an operator does. */
async function rotate(secretsKey: string) {
  const child = spawn(process.execPath, [PROGRAM, "rotate"], {
    env: { ...process.env, DATABASE_URL: database.url, SECRETS_KEY: secretsKey },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: child.exitCode, output, errors };
}

function api(method: string, path: string, body?: unknown) {
  return call(`${product.apiUrl}/v2${path}`, { method, key, body });
}

/** Creates an endpoint under a fixed idempotency key, so that every call gets the same answer. */
function createEndpoint() {
  const body = { url: `${receiver.url}/endpoint` };
  const url = `${product.apiUrl}/v2/webhook_endpoints`;
  return call(url, { method: "POST", key, body, headers: REPLAY });
}

async function newOrder(webhookUrl?: string): Promise<string> {
  line += 1;
  const own = webhookUrl === undefined ? {} : { webhook_url: webhookUrl };
  const made = await api("POST", "/porting_orders", {
    phone_numbers: [`+12125553${line}`],
    ...own,
  });
  expect(made.status).toBe(201);
  return String(dataOf(made)[0]?.["id"]);
}

/** Checks that the endpoint's and the account's deliveries of new orders are signed with these secrets. */
async function expectSigned(path: string, signedBy: readonly string[]): Promise<void> {
  const from = receiver.received.length;
  await newOrder(path === "/endpoint" ? undefined : `${receiver.url}${path}`);
  await eventually(() => {
    const got = receiver.received.slice(from).find((webhook) => webhook.path === path);
    if (got === undefined) throw new Error(`nothing came to ${path}`);
    const { headers, body } = got;
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    const eventId = String(headers["webhook-id"]);
    const expected = signatureHeaders({ eventId, body, at, secrets: signedBy });
    expect(headers["porting-signature"]).toBe(expected["Porting-Signature"]);
    expect(headers["webhook-signature"]).toBe(expected["webhook-signature"]);
  });
}

/** A sealed value as PATCH of a number stores it. */
async function addNumberWithPin(): Promise<void> {
  const { bytes, keyId } = sealPin(createSecretBox([OLD]), PIN_OWNER, PIN);
  await withConnection(database.url, (client) =>
    client.query(
      `insert into orders.numbers (account_id, phone_number, status, country_code, number_type, provider,
          activated_at, port_out_pin, port_out_pin_key_id)
        values ($1, $2, 'active', 'US', 'local', 'sandbox', now(), $3, $4)`,
      [PIN_OWNER.account_id, PIN_OWNER.phone_number, bytes, keyId],
    ),
  );
}

async function isPinRight(pin: string): Promise<boolean | null> {
  const { rows } = await withConnection(database.url, (client) =>
    client.query<{ bytes: Buffer; keyId: string }>(
      `select port_out_pin as bytes, port_out_pin_key_id as "keyId" from orders.numbers where account_id = $1`,
      [PIN_OWNER.account_id],
    ),
  );
  const stored = rows.map((sealed) => ({ ...PIN_OWNER, sealed }));
  return pinMatches(createSecretBox([NEW]), stored, pin);
}

beforeAll(async () => {
  [database, receiver] = await Promise.all([createTestDatabase(), startWebhookReceiver()]);
  // Every service knows the new key before any value is sealed with it.
  product = await start(keyList(OLD, NEW));
  key = product.apiKey;
  const made = await createEndpoint();
  secrets.first = textOf(made, "signing_secret");
  const path = `/webhook_endpoints/${textOf(made, "id")}/rotate_secret`;
  const rotated = await api("POST", path, { overlap_seconds: 86_400 });
  secrets.second = textOf(rotated, "signing_secret");
  const account = await api("POST", "/webhook_signing_secret/rotate", {});
  secrets.account = textOf(account, "signing_secret");
  orderId = await newOrder();
  await addNumberWithPin();
  const requirement = `/porting_orders/${orderId}/requirements/account_number`;
  expect((await api("PATCH", requirement, { field_value: ACCOUNT_NUMBER })).status).toBe(200);
});

describe("npm run secrets -- rotate", () => {
  it("knows every column that holds a sealed value", async () => {
    const found = await withConnection(database.url, (client) =>
      client.query<{ place: string }>(
        `select c.table_schema || '.' || c.table_name || '.' || c.column_name as place
          from information_schema.columns c
          join pg_class r on r.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
          where c.data_type = 'text' and c.column_name like '%key\\_id' and not r.relispartition`,
      ),
    );
    const places = SEALED_PLACES.map(({ table, keyId }) => `${table}.${keyId}`);
    expect(places.toSorted()).toEqual(found.rows.map(({ place }) => place).toSorted());
  });

  it("changes nothing and names the missing key", async () => {
    const { code, output } = await rotate(keyList(NEW));
    expect(code).toBe(1);
    expect(output).toContain(`1 under ${keyIdOf(OLD)}, which is not in SECRETS_KEY`);
    expect(output).toContain("orders.requirements.sealed_value: 0 re-wrapped, 1 remain");
    await expectSigned("/endpoint", [secrets.second, secrets.first]);
  });

  it("skips locked rows, reports the rest, and continues when run again", async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    try {
      await holder.query("begin");
      await holder.query("select from orders.requirements where order_id = $1 for update", [
        orderId,
      ]);
      const held = await rotate(keyList(NEW, OLD));
      expect(held.code).toBe(1);
      expect(held.output).toContain("webhooks.endpoints.signing_secret: 1 re-wrapped, 0 remain");
      expect(held.output).toContain("webhooks.endpoints.previous_secret: 1 re-wrapped, 0 remain");
      expect(held.output).toContain("webhooks.account_secrets.signing_secret: 1 re-wrapped, 0 rem");
      expect(held.output).toContain("messaging.generated_keys.sealed_key: 1 re-wrapped, 0 remain");
      expect(held.output).toContain("orders.requirements.sealed_value: 0 re-wrapped, 1 remain");
      await holder.query("rollback");
    } finally {
      await holder.end();
    }
    const again = await rotate(keyList(NEW, OLD));
    expect(again).toMatchObject({ code: 0, errors: "" });
    expect(again.output).toContain("orders.requirements.sealed_value: 1 re-wrapped, 0 remain");
    expect(again.output).toContain("Done: no other key is needed.");
  });

  it("does not disturb services that know both keys", async () => {
    await expectSigned("/endpoint", [secrets.second, secrets.first]);
    await expectSigned("/own", [secrets.account]);
  });

  it("leaves no value that needs the old key", async () => {
    expect((await rotate(keyList(NEW, OLD))).code).toBe(0);
    await product.stop();
    product = await start(keyList(NEW));
    await expectSigned("/endpoint", [secrets.second, secrets.first]);
    await expectSigned("/own", [secrets.account]);
    const replayed = await createEndpoint();
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
    expect(textOf(replayed, "signing_secret")).toBe(secrets.first);
    const values = await withConnection(database.url, (client) =>
      readRequirementValues(client, createSecretBox([NEW]), orderId),
    );
    expect(values.find(({ slug }) => slug === "account_number")?.value).toBe(ACCOUNT_NUMBER);
    expect([await isPinRight(PIN), await isPinRight("4712")]).toEqual([true, false]);
  });
});
