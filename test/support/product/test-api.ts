import type pg from "pg";
import { call, type Answer } from "../http/call.ts";
import { connectClient } from "../stack/test-client.ts";
import { startOwnProduct, type OwnProduct, type TestProductOptions } from "./product.ts";

/** The customers' API with its first key, and a connection to its database. */
export interface TestApi {
  readonly product: OwnProduct;
  readonly database: pg.Client;
  readonly call: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

/** A product with only the API, unless `services` is given. */
export async function startTestApi(options: TestProductOptions = {}): Promise<TestApi> {
  const product = await startOwnProduct({ services: ["api"], ...options });
  return {
    product,
    database: await connectClient(product.databaseUrl),
    call: (method, path, body) =>
      call(product.apiUrl + path, { method, key: product.apiKey, body }),
  };
}
