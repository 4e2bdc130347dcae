/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { fieldTypeOf } from "../../../services/domain/countries/fields/requirement-definition.ts";
import { ORDER_KINDS } from "../../../services/domain/requirement/rules/catalogue.ts";
import { testPdf } from "../../support/documents/test-document.ts";
import { eventually } from "../../support/eventually.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { exampleNumberOf } from "../../support/orders/example-numbers.ts";
import { confirmAtDesk } from "../../support/orders/fulfil-order.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

const ORDERS = "/v2/porting_orders";
/** Toll-free numbers of North America are in one range, whose orders are the United States'. */
const KINDS = ORDER_KINDS.filter(
  ({ country_code, number_type }) => `${country_code} ${number_type}` !== "CA toll_free",
);
/** Calls that an order needs. */
const CALLS = 2;

let product: Product;
let calls = 0;

beforeAll(async () => {
  product = await startProduct();
});

const counted = (path: string, body: unknown) => {
  calls += 1;
  return call(product.apiUrl + path, { method: "POST", key: product.apiKey, body });
};

/** One document for every order of every country. */
async function upload(): Promise<string> {
  const form = (): FormData => {
    const fields = new FormData();
    fields.set("document_date", new Date().toISOString());
    fields.set("file", new Blob([new Uint8Array(testPdf("A document"))]), "document.pdf");
    return fields;
  };
  const to = `${product.apiUrl}/v2/documents`;
  const answer = await call(to, { method: "POST", key: product.apiKey, form });
  expect(answer.status).toBe(201);
  return textOf(answer, "id");
}

type Kind = (typeof KINDS)[number];

/** The example of each mandatory field; of a code that belongs to a number, the number's own. */
function requirementsOf({ profile }: Kind, number: string, documentId: string) {
  const fields = profile.filter(({ mandatory }) => mandatory);
  const pairs = fields.map((field): [string, unknown] => {
    const { slug, value, example } = field;
    if (slug === "loa") return [slug, { signer_name: "Grace Hopper", consent: true }];
    if (fieldTypeOf(field) === "document") return [slug, documentId];
    const own = value.format === "code" ? value.code.ofNumber?.example(number) : undefined;
    return [slug, own ?? example];
  });
  return Object.fromEntries(pairs);
}

/** Creates and submits an order; its id and number. */
async function order(kind: Kind, n: number, documentId: string) {
  const { country_code, number_type } = kind;
  const example = exampleNumberOf(country_code, number_type);
  const number = example.slice(0, -2) + String(60 + (n % 40));
  const made = await counted(ORDERS, {
    phone_numbers: [number],
    ...(country_code === "US" || country_code === "CA" ? { number_type } : {}),
    requirements: requirementsOf(kind, number, documentId),
  });
  expect([country_code, number_type, made.status, made.body?.["errors"]]).toEqual([
    country_code,
    number_type,
    201,
    undefined,
  ]);
  const [created] = z
    .array(z.looseObject({ id: z.string(), country_code: z.string(), number_type: z.string() }))
    .parse(dataOf(made));
  expect(created).toMatchObject({ country_code, number_type, status: "draft" });
  const id = created?.id ?? "";
  const submitted = await counted(`${ORDERS}/${id}/submit`, {});
  expect([submitted.status, submitted.body?.["status"]]).toEqual([200, "in_review"]);
  await confirmAtDesk(product, id);
  return { id, number };
}

describe("an order of each country and kind", () => {
  it("goes live with two calls: creation with all it asks for, and submit", async () => {
    const documentId = await upload();
    const orders: { id: string; number: string }[] = [];
    // A few at once: an account's letters are printed one after the other.
    for (let from = 0; from < KINDS.length; from += 8) {
      const some = KINDS.slice(from, from + 8);
      const placed = some.map((kind, n) => order(kind, from + n, documentId));
      orders.push(...(await Promise.all(placed)));
    }
    expect(calls).toBe(KINDS.length * CALLS);
    await eventually(async () => {
      const { body } = await call(`${product.apiUrl}/v2/numbers?limit=250`, {
        key: product.apiKey,
      });
      const live = z.array(z.looseObject({ phone_number: z.string() })).parse(body?.["data"]);
      const numbers = live.map(({ phone_number }) => phone_number);
      expect(numbers.toSorted()).toEqual(orders.map(({ number }) => number).toSorted());
    }, 60_000);
  }, 120_000);
});
