import type pg from "pg";
import { call, type Answer, type Call } from "../http/call.ts";
import { connectClient } from "../stack/test-client.ts";
import { accountOf } from "./account-of.ts";
import {
  startOwnProduct,
  type OwnProduct,
  type Product,
  type TestProductOptions,
} from "./product.ts";
import { startProduct } from "./shared-products.ts";

/** The customers' API with the key of an account, and a connection to its database. */
export interface TestApi<P extends Product = Product> {
  readonly product: P;
  readonly database: pg.Client;
  /** The id of the account. */
  readonly account: string;
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    more?: Pick<Call, "headers" | "form">,
  ) => Promise<Answer>;
}

/** The run's shared product; with options, one of the test's own, with only the API unless `services` is given. */
export async function startTestApi(): Promise<TestApi>;
export async function startTestApi(options: TestProductOptions): Promise<TestApi<OwnProduct>>;
export async function startTestApi(options?: TestProductOptions): Promise<TestApi> {
  const product =
    options === undefined
      ? await startProduct()
      : await startOwnProduct({ services: ["api"], ...options });
  const database = await connectClient(product.databaseUrl);
  return {
    product,
    database,
    account: await accountOf(database, product.apiKey),
    call: (method, path, body, more = {}) =>
      call(product.apiUrl + path, { method, key: product.apiKey, body, ...more }),
  };
}
