/** @tier all @needs python3 */
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Producer } from "kafkajs";
import { createCodec, type Codec } from "../../../services/messages/codec.ts";
import type { CarrierUpdate } from "../../../services/messages/generated/carrier-update.ts";
import { providerUser } from "../../../services/messages/bus/topic-rights.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { readKafkaSecurity } from "../../../services/platform/kafka/client-security.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import {
  exampleCommand,
  startExample,
  type RunningExample,
} from "../../support/programs/example-integration.ts";
import { variablesOf } from "../../support/stack/kafka-access.ts";

/** Provider and losing carrier that every fresh stack has. */
const PROVIDER = "test";
const JOIN_MS = 60_000;

const log = createLogger("test-provider", "silent");
let product: OwnProduct;
let program: RunningExample;
let producer: Producer;
let codec: Codec;

beforeAll(async () => {
  const command = await exampleCommand("Python");
  product = await startOwnProduct({ env: { DEADLINE_POLL: "100ms" } });
  const { kafkaBrokers, registryUrl, topicPrefix } = product;
  const dataDir = join(temporaryFolder("test-provider"), "data");
  const env = { PORT_AFTER_SECONDS: "3" };
  program = startExample({ product, command, provider: PROVIDER, dataDir, env });
  const security = readKafkaSecurity(variablesOf(providerUser(PROVIDER)));
  const kafka = createKafka({ brokers: [kafkaBrokers], security, clientId: PROVIDER, log });
  producer = kafka.producer({ allowAutoTopicCreation: false });
  endAfterTests(() => producer.disconnect());
  await producer.connect();
  const registry = { SCHEMA_REGISTRY_URL: registryUrl };
  const { signal } = new AbortController();
  codec = await createCodec({ registry, topicPrefix, signal, log, clock: systemClock });
  await eventually(() => expect(program.output()).toContain("joined"), JOIN_MS);
});

function api(path: string, body?: unknown) {
  const method = body === undefined ? "GET" : "POST";
  return call(`${product.apiUrl}/v2${path}`, { method, key: product.apiKey, body });
}

let orderId: string;

function update(fields: Partial<CarrierUpdate>): Buffer {
  return codec.encode("carriers.updates", {
    update_id: randomUUID(),
    provider: PROVIDER,
    order_id: orderId,
    request_version: 1,
    occurred_at: Date.now(),
    raw_status: "REPORTED",
    ...fields,
  });
}

describe("the Python example as the provider test", () => {
  it("carries a port of the carrier test, and prints that its updates were applied", async () => {
    const order = { phone_numbers: ["+12125557801"], losing_carrier: "test" };
    orderId = String(dataOf(await api("/porting_orders", order))[0]?.["id"]);
    await fulfilOrder(product, orderId);
    await submitOrder(product, orderId);
    await confirmAtDesk(product, orderId);
    await eventually(async () => {
      expect((await api(`/porting_orders/${orderId}`)).body?.["status"]).toBe("completed");
    }, JOIN_MS);
    const published = [...program.output().matchAll(/^published \S+ (\S+) of/gm)].map(
      ([, id]) => id,
    );
    expect(published.length).toBeGreaterThanOrEqual(4);
    await eventually(() => {
      const applied = [...program.output().matchAll(/^receipt applied (\S+) at/gm)];
      expect(applied.map(([, id]) => id).sort()).toEqual(published.sort());
    });
  });

  it("prints a receipt for each of ten malformed messages", async () => {
    const malformed: readonly (readonly [code: string, value: Buffer | null])[] = [
      ["undecodable", Buffer.from("garbage")],
      ["undecodable", update({}).subarray(0, 20)],
      ["null_value", null],
      ["unknown_schema", Buffer.from([0, 119, 1, 1, 1, 0, 0])],
      ["rule_broken", update({ kind: "date_confirmed" })],
      ["rule_broken", update({ kind: "rejected" })],
      ["rule_broken", update({ phone_numbers: ["+12125550000"] })],
      ["rule_broken", update({ raw_status: "s".repeat(1_001) })],
      ["unknown_order", update({ order_id: randomUUID() })],
      ["provider_mismatch", update({ request_version: 7 })],
    ];
    const topic = `${product.topicPrefix}carriers.updates`;
    const headers = { provider: PROVIDER };
    const wanted: string[] = [];
    for (const [code, value] of malformed) {
      const messages = [{ key: orderId, value, headers }];
      const [at] = await producer.send({ topic, messages });
      wanted.push(`at ${topic}/${at?.partition ?? ""}/${at?.baseOffset ?? ""} ${code}: `);
    }
    await eventually(() => {
      const lines = program.output().match(/^receipt refused .*$/gm) ?? [];
      const found = wanted.filter((what) => lines.some((line) => line.includes(what)));
      expect(found).toEqual(wanted);
      expect(lines).toHaveLength(malformed.length);
    });
  });
});
