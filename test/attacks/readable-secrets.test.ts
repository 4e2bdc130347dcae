/** @tier all */

import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { SERVICE_NAMES } from "../../infra/start/supervisor/service-table.ts";
import { PORT_OUT_UPDATE_SCHEMA } from "../../services/messages/generated/port-out-update.ts";
import { createAvroRecord } from "../../services/platform/avro/avro-record.ts";
import { queryRows } from "../../services/platform/db/transaction.ts";
import {
  createFingerprints,
  openFingerprintKey,
} from "../../services/platform/idempotency/start-idempotency.ts";
import { digestOf } from "../../services/platform/idempotency/idempotency-key.ts";
import { writeOutbox } from "../../services/platform/outbox/outbox.ts";
import { createSecretBox } from "../../services/platform/secret-box.ts";
import { call, dataOf, type Answer } from "../support/http/call.ts";
import { eventually } from "../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../support/orders/fulfil-order.ts";
import {
  buildPortOutUpdate,
  openNumberStack,
  type NumberStack,
  type Owner,
} from "../support/orders/number-stack.ts";
import { filesWith, secretsIn } from "../support/secret-traces.ts";
import { testStack } from "../support/stack/test-stack.ts";
import { connectAdmin } from "../support/stack/test-kafka.ts";
import { readTopic } from "../support/stack/topic-reader.ts";

const ACCOUNT_NUMBER = "QX-7193-ZW-5528-KV";
const PIN = "k7!Vq93#xZt";
const NUMBER_PIN = "8306195274";
const GUESSED_PIN = "9417358260";
const BROKEN_PIN = "7264918053";
const UNREADABLE_PIN = "6158207394";
const SECRETS = [ACCOUNT_NUMBER, PIN, NUMBER_PIN, GUESSED_PIN, BROKEN_PIN, UNREADABLE_PIN];
const REQUESTS = "carriers.requests";
const PORT_OUTS = "carriers.port-outs";

let stack: NumberStack;
let owner: Owner;
let orderId: string;
let numberPath: string;

beforeAll(async () => {
  stack = await openNumberStack({ services: SERVICE_NAMES });
  owner = await stack.newOwner();
  orderId = await sendOrder();
  const number = await stack.newNumber(owner);
  numberPath = `/v2/numbers/${encodeURIComponent(number)}`;
  expect((await setPin()).status).toBe(200);
  await askFor(number, NUMBER_PIN);
  await askFor(await stack.newNumber(owner), GUESSED_PIN);
  await publishPoison(number);
});

/** Under an Idempotency-Key, so that the request is recognized when it is repeated. */
function setPin(): Promise<Answer> {
  return call(stack.product.apiUrl + numberPath, {
    method: "PATCH",
    key: owner.key,
    headers: { "Idempotency-Key": "the-pin" },
    body: { port_out_pin: NUMBER_PIN },
  });
}

/** Brings an order with the secrets to its carrier. */
async function sendOrder(): Promise<string> {
  const made = await owner.api("POST", "/porting_orders", { phone_numbers: ["+12125550190"] });
  const id = z.string().parse(dataOf(made)[0]?.["id"]);
  const access = { apiUrl: stack.product.apiUrl, apiKey: owner.key };
  await fulfilOrder(access, id);
  const values = { account_number: ACCOUNT_NUMBER, pin_passcode: PIN };
  for (const [slug, field_value] of Object.entries(values)) {
    const path = `/porting_orders/${id}/requirements/${slug}`;
    expect((await owner.api("PATCH", path, { field_value })).status).toBe(200);
  }
  const signature = { signer_name: "Grace Hopper", signer_title: "Director", consent: true };
  const signed = await owner.api("POST", `/porting_orders/${id}/loa/sign`, signature);
  expect(signed.status).toBe(201);
  await submitOrder(access, id);
  await confirmAtDesk(stack.product, id);
  await eventually(async () => expect((await stack.requests()).map(orderOf)).toContain(id));
  return id;
}

const orderOf = (request: { readonly order_id: string | null }) => request.order_id;

/** A port-out request from the desk's sandbox, which writes it to the outbox. */
async function askFor(number: string, attempted_pin: string): Promise<void> {
  const asked = await stack.desk("POST", "/sandbox/port_outs", {
    phone_numbers: [number],
    gaining_carrier: "Other Telecom",
    requested_foc: "2026-12-20T10:00:00+01:00",
    attempted_pin,
  });
  expect(asked.status).toBe(202);
  await eventually(async () => {
    const { body } = await owner.api("GET", "/port_outs?limit=250");
    expect(JSON.stringify(body)).toContain(number);
  });
}

/** Port-outs with PINs that break a rule, or cannot be decoded; the former is replayed. */
async function publishPoison(number: string): Promise<void> {
  const fields = { phone_numbers: [number, number], attempted_pin: BROKEN_PIN };
  await stack.publishPortOut(buildPortOutUpdate(fields));
  const unreadable = createAvroRecord(PORT_OUT_UPDATE_SCHEMA).write(
    buildPortOutUpdate({ attempted_pin: UNREADABLE_PIN }),
    2_000_000_000,
  );
  const topic = stack.product.topicPrefix + PORT_OUTS;
  const messageId = crypto.randomUUID();
  await stack.producer.send([{ messageId, topic, key: Buffer.from(number), value: unreadable }]);
  const letters = await parked(2);
  const broken = letters.find(({ error_code }) => error_code === "rule_broken");
  expect((await stack.desk("POST", `/dead_letters/${broken?.id}/replay`)).status).toBe(200);
  await parked(2);
}

const letter = z.object({ id: z.string(), error_code: z.string(), value: z.unknown() });

function parked(count: number): Promise<z.infer<typeof letter>[]> {
  return eventually(async () => {
    const path = `/dead_letters?topic=${PORT_OUTS}&state=parked`;
    const letters = z.array(letter).parse(dataOf(await stack.desk("GET", path)));
    expect(letters).toHaveLength(count);
    return letters;
  });
}

describe("account numbers and PINs", () => {
  it("reach the carrier, and the carrier's reach us", async () => {
    const sent = JSON.stringify((await stack.requests()).find((one) => one.order_id === orderId));
    expect(secretsIn(Buffer.from(sent), SECRETS)).toEqual([ACCOUNT_NUMBER, PIN]);
    const { rows } = await stack.database.query<{ statuses: string[] }>(
      "select array_agg(status order by id) as statuses from orders.port_outs",
    );
    expect(rows[0]?.statuses).toEqual(["decision_required", "decision_required"]);
  });

  it("are on no topic but the two that carry them", async () => {
    const admin = await connectAdmin();
    const { topicPrefix } = stack.product;
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(topicPrefix));
    expect(topics).toContain(`${topicPrefix}${PORT_OUTS}.dead-letter`);
    const letters = `${topicPrefix}${PORT_OUTS}.dead-letter`;
    await eventually(async () => expect(await readTopic(stack.kafka, letters)).toHaveLength(3));
    const carrying: string[] = [];
    for (const topic of topics) {
      for (const { key, value, headers } of await readTopic(stack.kafka, topic)) {
        const parts = [key, value, Buffer.from(JSON.stringify(headers))];
        const bytes = Buffer.concat(parts.filter((part) => part !== null));
        if (secretsIn(bytes, SECRETS).length > 0) carrying.push(topic.slice(topicPrefix.length));
      }
    }
    expect([...new Set(carrying)].sort()).toEqual([PORT_OUTS, REQUESTS]);
  });

  it("are in no file of the database, its write-ahead log included, and in no log", async () => {
    await stack.database.query("checkpoint");
    const { rows } = await stack.database.query<{ oid: number }>(
      "select oid from pg_database where datname = current_database()",
    );
    const data = join(testStack().data_dir, "postgres", "data");
    for (const folder of [`base/${rows[0]?.oid}`, "global", "pg_wal"]) {
      expect(filesWith(join(data, folder), SECRETS)).toEqual([]);
    }
    expect(filesWith(join(testStack().data_dir, "logs"), SECRETS)).toEqual([]);
    expect(filesWith(stack.product.logFolder, SECRETS)).toEqual([]);
  });

  it("are not found by comparing guesses with what is stored of a request", async () => {
    const body = { port_out_pin: NUMBER_PIN };
    const guess = digestOf({ method: "PATCH", path: numberPath, search: "", body });
    const { rows } = await stack.database.query<{ fingerprint: Buffer }>(
      "select fingerprint from messaging.idempotent_replies where key = 'the-pin'",
    );
    expect(rows.map(({ fingerprint }) => fingerprint.equals(guess))).toEqual([false]);
    // The guess is the right one: with the product's own key it is found.
    const box = createSecretBox([Buffer.from(stack.product.secretsKey, "base64")]);
    const fingerprints = createFingerprints(await openFingerprintKey(stack.database, box));
    expect(rows.map(({ fingerprint }) => fingerprints.isOf(fingerprint, guess))).toEqual([true]);
  });

  it("are masked where the desk shows a dead letter", async () => {
    const letters = await parked(2);
    expect(secretsIn(Buffer.from(JSON.stringify(letters)), SECRETS)).toEqual([]);
    const broken = letters.find(({ error_code }) => error_code === "rule_broken");
    expect(broken?.value).toMatchObject({ kind: "requested", attempted_pin: "****" });
  });
});

describe("the outbox", () => {
  it("holds sealed values for the two topics alone", async () => {
    const rows = await queryRows<{ topic: string; sealed: boolean }>(stack.database, {
      text: `select distinct topic, sealed_key_id is not null as sealed from messaging.outbox`,
    });
    const { topicPrefix } = stack.product;
    const names = rows.filter(({ sealed }) => sealed).map(({ topic }) => topic);
    expect(names.sort()).toEqual([topicPrefix + PORT_OUTS, topicPrefix + REQUESTS]);
    expect(rows.filter(({ topic, sealed }) => names.includes(topic) && !sealed)).toEqual([]);
  });

  it("still sends what an older version wrote without a seal", async () => {
    const topic = stack.product.topicPrefix + REQUESTS;
    const value = stack.codec.encode(REQUESTS, {
      request_id: "of before",
      provider: "nobody",
      requested_at: Date.now(),
      kind: "activate",
    });
    const messageId = crypto.randomUUID();
    await writeOutbox(stack.database, [{ messageId, topic, key: Buffer.from("k"), value }]);
    await eventually(async () => {
      const ids = (await stack.requests()).map((one) => one.request_id);
      expect(ids).toContain("of before");
    });
  });
});
