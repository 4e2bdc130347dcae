/** @tier all */
import { beforeAll, expect, it } from "@jest/globals";
import { buildPdf } from "../../support/documents/document-factory.ts";
import { uploadToOrder } from "../../support/documents/upload-to-order.ts";
import { eventually } from "../../support/eventually.ts";
import { dataOf } from "../../support/http/call.ts";
import { clockOff } from "../../support/programs/wrong-clock.ts";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";

const TWO_HOURS_MS = 7_200_000;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({
    services: ["api", "order-lifecycle", "requirement-review", "outbox-relay"],
    env: clockOff(TWO_HOURS_MS),
  });
});

// Messages bore the time of the machine that sent them: the broker refused those of a machine more than an hour ahead, and
// below that a document was checked only when the database had come to that time.
it("services whose machine is two hours ahead publish, and check a document at once", async () => {
  const body = { phone_numbers: ["+12125550147"] };
  const [order] = dataOf(await api.call("POST", "/v2/porting_orders", body));
  const orderId = String(order?.["id"]);
  const uploaded = await uploadToOrder(api.product, { orderId, content: await buildPdf() });
  expect(uploaded.status).toBe(200);
  await eventually(async () => {
    const { body } = await api.call("GET", `/v2/porting_orders/${orderId}/readiness`);
    expect(body?.["blocking"]).not.toContainEqual(expect.objectContaining({ slug: "invoice" }));
  });
});
