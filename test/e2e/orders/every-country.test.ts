import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { CountryCode } from "../../../services/domain/countries/country-code.ts";
import type { NumberType } from "../../../services/domain/countries/number-type.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import type { Product } from "../../support/product/product.ts";
import type { NumberPrefix } from "../../support/product/test-numbers.ts";
import { startProduct } from "../../support/product/shared-products.ts";

/** For each country, a number type with the most requirements; and the mobile kinds of most of them. */
const PREFIXES: Readonly<Record<CountryCode, Partial<Record<NumberType, NumberPrefix>>>> = {
  US: { toll_free: "+1800" },
  CA: { local: "+1416" },
  GB: { local: "+4420" },
  FR: { local: "+331", mobile: "+336" },
  DE: { local: "+4930", mobile: "+49151" },
  ES: { local: "+349", mobile: "+346" },
  AU: { local: "+612", mobile: "+614" },
  BE: { local: "+322", mobile: "+3247" },
  IE: { local: "+3531", mobile: "+35385" },
  NL: { local: "+3120" },
};

const KINDS = Object.entries(PREFIXES).flatMap(([country, prefixes]) =>
  Object.entries(prefixes).map(([type, prefix]) => ({ kind: `${country} ${type}`, prefix })),
);

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

const api = (path: string, body?: unknown) =>
  call(product.apiUrl + path, {
    method: body === undefined ? "GET" : "POST",
    key: product.apiKey,
    body,
  });

describe("a request for numbers of every country", () => {
  it("becomes one order for each kind, and each completes with its country's requirements", async () => {
    const phone_numbers = KINDS.map(({ prefix }) => product.newNumber(prefix));
    const made = await api("/v2/porting_orders", { phone_numbers });
    expect(made.status).toBe(201);
    const orders = z
      .array(z.object({ id: z.string(), country_code: z.string(), number_type: z.string() }))
      .parse(dataOf(made));
    expect(orders.map((one) => `${one.country_code} ${one.number_type}`)).toEqual(
      KINDS.map(({ kind }) => kind),
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
