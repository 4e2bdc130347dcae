import { beforeAll, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { ORDER_SERVICES, startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

let product: OwnProduct;

beforeAll(async () => {
  product = await startOwnProduct({ services: ORDER_SERVICES });
});

/** The update was dead-lettered as provider_mismatch when it overtook the request on the topics. */
it("a status update that an operator records before the request has arrived at the carrier takes effect", async () => {
  const { apiUrl, apiKey, deskUrl, deskToken } = product;
  const body = { phone_numbers: ["+12125556001"], losing_carrier: "manual" };
  const made = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key: apiKey, body });
  const id = z.string().parse(dataOf(made)[0]?.["id"]);
  await fulfilOrder(product, id);
  await submitOrder(product, id);
  // The request stays on its topic until the adapter is back, behind the update.
  const adapter = product.supervisor.service("carrier-adapter");
  adapter.program.kill();
  await confirmAtDesk(product, id);
  const url = `${deskUrl}/desk/v1/orders/${id}/carrier_updates`;
  const update = { kind: "acknowledged", raw_status: "ACK" };
  await eventually(async () => {
    const recorded = await call(url, { method: "POST", key: deskToken, body: update });
    expect(recorded.status).toBe(202);
  });
  await eventually(async () => {
    const order = await call(`${apiUrl}/v2/porting_orders/${id}`, { key: apiKey });
    expect(order.body?.["status"]).toBe("in_process");
  });
});
