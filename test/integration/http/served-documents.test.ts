import { beforeAll, describe, expect, it } from "@jest/globals";
import { Parser } from "@asyncapi/parser";
import { request } from "undici";
import { z } from "zod";
import { SENT_EVENT_TYPES } from "../../../services/messages/events.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

const DOCUMENTS = [
  "/asyncapi.json",
  "/schemas/webhooks/porting_order.created.json",
  "/openapi.json",
  "/docs/api",
];

function get(path: string): Promise<Response> {
  return fetch(product.apiUrl + path);
}

/** What the parser of AsyncAPI finds; that there is a newer version of the specification is not a fault. */
async function faultsOf(text: string): Promise<string[]> {
  const found = await new Parser().validate(text);
  const faults = found.filter(({ code }) => code !== "asyncapi-latest-version");
  return faults.map(({ code, path, message }) => `${code} ${path.join("/")}: ${message}`);
}

const schemas = z.record(z.string(), z.unknown());
const openApi = z.looseObject({ components: z.looseObject({ schemas }) });
const schemaShape = z.looseObject({ $schema: z.string(), $id: z.string(), $defs: schemas });
const busShape = z.looseObject({
  channels: z.record(z.string(), z.looseObject({ address: z.string() })),
});

describe("the AsyncAPI document", () => {
  it("is served without a key, and is valid", async () => {
    const response = await get("/asyncapi.json");
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
    expect(await faultsOf(await response.text())).toEqual([]);
  });

  it("would not be valid with a channel, a parameter or a setting that is none", async () => {
    const text = await (await get("/asyncapi.json")).text();
    const broken = [
      ["#/channels/carriers.updates", "#/channels/x"],
      ["{delay}", "{step}"],
      ['"retention.ms":-1', '"retention.ms":"-1"'],
    ] as const;
    const found = await faultsOf(
      broken.reduce((all, [old, other]) => all.replace(old, other), text),
    );
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/channels\/x/),
        expect.stringMatching(/step/),
        expect.stringMatching(/retention\.ms/),
      ]),
    );
  });

  it("has the names that topics have in this deployment", async () => {
    const { channels } = busShape.parse(await (await get("/asyncapi.json")).json());
    expect(channels["porting.events"]?.address).toBe(`${product.topicPrefix}porting.events`);
    const others = Object.values(channels).filter(
      ({ address }) => !address.startsWith(product.topicPrefix),
    );
    expect(others).toEqual([]);
  });
});

describe("the JSON Schema of a webhook", () => {
  it("is served for each type, with the schemas of the OpenAPI document", async () => {
    const { components } = openApi.parse(await (await get("/openapi.json")).json());
    for (const type of SENT_EVENT_TYPES) {
      const response = await get(`/schemas/webhooks/${type}.json`);
      const { $schema, $defs } = schemaShape.parse(await response.json());
      expect($schema).toBe("https://json-schema.org/draft/2020-12/schema");
      const same = Object.keys($defs).map((name) => [name, components.schemas[name]]);
      const here = JSON.stringify(Object.fromEntries(same)).replaceAll(
        "#/components/schemas/",
        "#/$defs/",
      );
      expect([type, $defs]).toEqual([type, JSON.parse(here)]);
    }
  });

  it("is not there for a type that is never sent", async () => {
    const { status } = await get("/schemas/webhooks/porting_order.foc_date_changed.json");
    expect(status).toBe(404);
  });
});

/** As a client with a cache asks; `fetch` adds a Cache-Control that asks for the whole. */
async function ask(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { statusCode, headers: answered, body } = await request(product.apiUrl + path, { headers });
  return { status: statusCode, etag: answered["etag"], text: await body.text() };
}

describe("a document that does not change", () => {
  it.each(DOCUMENTS)("is sent again only to who does not have it: %s", async (path) => {
    const first = await ask(path);
    expect([first.status, first.etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{43}"$/)]);
    const known = { "if-none-match": String(first.etag) };
    for (const encoding of ["identity", "gzip"]) {
      const again = await ask(path, { ...known, "accept-encoding": encoding });
      expect(again).toEqual({ status: 304, etag: first.etag, text: "" });
    }
    const other = await ask(path, { "if-none-match": 'W/"other"' });
    expect([other.status, other.text === first.text]).toEqual([200, true]);
  });
});
