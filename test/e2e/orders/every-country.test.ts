import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { ORDER_SERVICES, startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

/** For each country, a number type with the most requirements; and the mobile kinds of four of them. */
const NUMBERS = {
  "US toll_free": "+18002255288",
  "CA local": "+14165550143",
  "GB local": "+442079460143",
  "FR local": "+33142345143",
  "DE local": "+493023125143",
  "ES local": "+34912345143",
  "AU local": "+61293741143",
  "FR mobile": "+33612345143",
  "DE mobile": "+4915112345143",
  "ES mobile": "+34612345143",
  "AU mobile": "+61412345143",
};

let product: OwnProduct;

beforeAll(async () => {
  product = await startOwnProduct({ services: ORDER_SERVICES });
});

const api = (path: string, body?: unknown) =>
  call(product.apiUrl + path, {
    method: body === undefined ? "GET" : "POST",
    key: product.apiKey,
    body,
  });

describe("a request for numbers of every country", () => {
  it("becomes one order for each kind, and each completes with its country's requirements", async () => {
    const phone_numbers = Object.values(NUMBERS);
    const made = await api("/v2/porting_orders", { phone_numbers });
    expect(made.status).toBe(201);
    const orders = z
      .array(z.object({ id: z.string(), country_code: z.string(), number_type: z.string() }))
      .parse(dataOf(made));
    expect(orders.map((one) => `${one.country_code} ${one.number_type}`)).toEqual(
      Object.keys(NUMBERS),
    );
    for (const { id } of orders) {
      await fulfilOrder(product, id);
      await submitOrder(product, id);
      await confirmAtDesk(product, id);
    }
    await eventually(async () => {
      const numbers = dataOf(await api("/v2/numbers?limit=250"));
      expect(numbers.map((one) => String(one["phone_number"])).toSorted()).toEqual(
        phone_numbers.toSorted(),
      );
    });
    for (const { id } of orders) {
      expect((await api(`/v2/porting_orders/${id}`)).body?.["status"]).toBe("completed");
    }
  });
});
