import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { newId } from "../../../services/platform/ids.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { accountOf } from "../../support/product/account-of.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { connectClient } from "../../support/stack/test-client.ts";

const parameter = z.looseObject({ name: z.string().optional(), in: z.string().optional() });
const described = z.looseObject({
  paths: z.record(
    z.string(),
    z.looseObject({ get: z.looseObject({ parameters: z.array(parameter) }).optional() }),
  ),
});

let product: Product;
let orderIds: string[];
let accountId: string;

beforeAll(async () => {
  product = await startProduct();
  const made = await call(`${product.apiUrl}/v2/porting_orders`, {
    method: "POST",
    key: product.apiKey,
    body: {
      phone_numbers: [product.newNumber(), product.newNumber("+4420")],
      losing_carrier: "manual",
    },
  });
  orderIds = dataOf(made).map(({ id }) => String(id));
  accountId = await accountOf(await connectClient(product.databaseUrl), product.apiKey);
});

const atDesk = (path: string) => call(`${product.deskUrl}${path}`, { key: product.deskToken });

/** The paths of the lists in the desk's OpenAPI document. */
async function lists(): Promise<string[]> {
  const { paths } = described.parse((await call(`${product.deskUrl}/openapi.json`)).body);
  return Object.entries(paths)
    .filter(([, { get }]) => get?.parameters.some(({ name }) => name === "starting_after"))
    .map(([path]) => {
      const id = path.startsWith("/desk/v1/accounts/") ? accountId : orderIds[0];
      return path.replace("{id}", id ?? "");
    });
}

describe("the desk's lists", () => {
  it("refuse an unknown cursor", async () => {
    const paths = await lists();
    expect(paths.length).toBeGreaterThanOrEqual(8);
    const absent = (path: string) =>
      path.endsWith("/numbers") ? "%2B12125559999" : newId(new Date());
    for (const path of paths) {
      for (const cursor of ["starting_after", "ending_before"]) {
        const { status, body } = await atDesk(`${path}?${cursor}=${absent(path)}`);
        expect([path, status, body]).toMatchObject([
          path,
          400,
          { errors: [{ parameter: cursor, code: "unknown_id" }] },
        ]);
      }
    }
  });

  it("continue from their own cursor", async () => {
    const list = `/desk/v1/orders?account_id=${accountId}`;
    const [first] = dataOf(await atDesk(`${list}&limit=1`));
    const rest = dataOf(await atDesk(`${list}&starting_after=${String(first?.["id"])}`));
    expect([first, ...rest].map((order) => order?.["id"]).toSorted()).toEqual(orderIds.toSorted());
  });
});
