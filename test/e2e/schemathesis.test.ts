import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { call, dataOf } from "../support/call.ts";
import type { Product } from "../support/product.ts";
import { startProduct } from "../support/product.ts";
import type { SchemathesisReport } from "../support/schemathesis.ts";
import { installSchemathesis, runSchemathesis } from "../support/schemathesis.ts";

const SECONDS = 60;

const DEADLINE_MS = 300_000;

let product: Product;
let program: string;

beforeAll(async () => {
  program = await installSchemathesis();
  product = await startProduct();
}, DEADLINE_MS);

afterAll(async () => {
  await product.stop();
});

function expectClean({ passed, text }: SchemathesisReport): void {
  console.log(text);
  if (!passed) throw new Error(text);
}

describe("schemathesis, with all its checks", () => {
  it(
    "finds nothing wrong with the customers' API",
    async () => {
      const { apiUrl: url, apiKey: key } = product;
      const keys = await call(`${url}/v2/api_keys`, { key });
      const keyId = String(dataOf(keys)[0]?.["id"]);
      expectClean(await runSchemathesis({ program, url, key, keyId, seconds: SECONDS }));
    },
    DEADLINE_MS,
  );

  it(
    "finds nothing wrong with the desk's API",
    async () => {
      const { deskUrl: url, deskToken: key } = product;
      expectClean(await runSchemathesis({ program, url, key, seconds: SECONDS }));
    },
    DEADLINE_MS,
  );
});
