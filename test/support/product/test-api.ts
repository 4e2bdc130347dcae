import pg from "pg";
import type { Answer } from "../http/call.ts";
import { call } from "../http/call.ts";
import type { Product, ProductOptions } from "./product.ts";
import { startProduct } from "./product.ts";

/** A product with the customers' API, asked with its first key, and a look at its tables. */
export interface ApiHouse {
  readonly product: Product;
  readonly database: pg.Client;
  readonly api: (method: string, path: string, body?: unknown) => Promise<Answer>;
  readonly stop: () => Promise<void>;
}

/** The API alone, unless more services are named. */
export async function openApiHouse(options: ProductOptions = {}): Promise<ApiHouse> {
  const product = await startProduct({ services: ["api"], ...options });
  const database = new pg.Client(product.databaseUrl);
  await database.connect();
  return {
    product,
    database,
    api: (method, path, body) => call(product.apiUrl + path, { method, key: product.apiKey, body }),
    stop: async () => {
      await database.end();
      await product.stop();
    },
  };
}
