import { beforeAll, describe, expect, it } from "@jest/globals";
import { buildCallUpdate } from "../support/carriers/call-update-factory.ts";
import { openCarrierClient, type CarrierClient } from "../support/carriers/carrier-client.ts";
import { eventually } from "../support/eventually.ts";
import { call, dataOf } from "../support/http/call.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../support/orders/fulfil-order.ts";
import { buildPortOutUpdate } from "../support/orders/number-stack.ts";
import type { Product } from "../support/product/product.ts";
import { startProduct } from "../support/product/shared-products.ts";
import { readMessages } from "../support/stack/topic-messages.ts";

const PROVIDER = "us-lsr";

let product: Product;
let integration: CarrierClient;
let phoneNumber: string;
let orderId: string;

beforeAll(async () => {
  product = await startProduct();
  phoneNumber = product.newNumber();
  integration = await openCarrierClient(product, PROVIDER);
});

function api(path: string, body?: unknown) {
  const method = body === undefined ? "GET" : "POST";
  return call(`${product.apiUrl}/v2${path}`, { method, key: product.apiKey, body });
}

async function typesOf(query: string): Promise<unknown[]> {
  const listed = await api(`/porting/events?order=asc&limit=100${query}`);
  return dataOf(listed).map(({ type }) => type);
}

describe("the product with a Kafka user for each service and carrier", () => {
  it("carries an order to an active number", async () => {
    const made = await api("/porting_orders", { phone_numbers: [phoneNumber] });
    orderId = String(dataOf(made)[0]?.["id"]);
    await fulfilOrder(product, orderId);
    await submitOrder(product, orderId);
    await confirmAtDesk(product, orderId);
    await eventually(async () => {
      expect((await api(`/porting_orders/${orderId}`)).body?.["status"]).toBe("completed");
      expect(await typesOf("")).toContain("number.activated");
    });
  });

  it("takes calls from a carrier that logs in as itself", async () => {
    const message = buildCallUpdate({ provider: PROVIDER, phone_number: phoneNumber });
    await integration.publish("carriers.calls", phoneNumber, message);
    await eventually(async () => expect(await typesOf("")).toContain("call.forwarded"));
  });

  it("takes a port-out from a carrier, and answers it", async () => {
    const message = buildPortOutUpdate({ provider: PROVIDER, phone_numbers: [phoneNumber] });
    await integration.publish("carriers.port-outs", phoneNumber, message);
    const path = `/port_outs?phone_number=${encodeURIComponent(phoneNumber)}`;
    const id = await eventually(async () => {
      const [found] = dataOf(await api(path));
      expect(found?.["status"]).toBe("decision_required");
      return String(found?.["id"]);
    });
    expect((await api(`/port_outs/${id}/approve`, {})).status).toBe(200);
    await eventually(async () => {
      const requests = await readMessages(product, "carriers.requests");
      const { port_out_ref } = message;
      const answers = requests.flatMap(({ port_out }) => port_out ?? []);
      const own = answers.filter((answer) => answer.port_out_ref === port_out_ref);
      expect(own).toMatchObject([{ port_out_ref, approved: true }]);
    });
    const left = { ...message, update_id: crypto.randomUUID(), kind: "completed" as const };
    await integration.publish("carriers.port-outs", phoneNumber, {
      ...left,
      foc_at: "2026-12-20T10:00:00+01:00",
    });
    await eventually(async () => expect(await typesOf("")).toContain("number.ported_out"));
  });

  it("leaves no dead letter, and takes no decision from a carrier", async () => {
    for (const key of [orderId, phoneNumber]) {
      const url = `${product.deskUrl}/desk/v1/dead_letters?key=${encodeURIComponent(key)}`;
      expect(dataOf(await call(url, { key: product.deskToken }))).toEqual([]);
    }
    const forged = { messageId: crypto.randomUUID(), value: Buffer.from("decided") };
    for (const topic of ["porting.review-results", "porting.events", "carriers.requests"]) {
      const message = {
        ...forged,
        topic: product.topicPrefix + topic,
        key: Buffer.from(phoneNumber),
      };
      await expect(integration.producer.send([message])).rejects.toMatchObject({
        code: "broker_unavailable",
      });
    }
  });
});
