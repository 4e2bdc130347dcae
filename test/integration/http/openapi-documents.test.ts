import { beforeAll, describe, expect, it } from "@jest/globals";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { z } from "zod";
import { undescribedTexts, exampleFaults } from "../../support/openapi/documented-examples.ts";
import { undescribedParts } from "../../support/openapi/undescribed-parts.ts";
import { SENT_EVENT_TYPES } from "../../../services/messages/events.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

const operation = z.looseObject({
  tags: z.tuple([z.string().min(1)]),
  summary: z.string().min(1),
  responses: z.record(z.string(), z.unknown()),
});
const described = z.looseObject({
  openapi: z.literal("3.1.0"),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  webhooks: z.record(z.string(), z.unknown()).optional(),
});

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

describe.each([["customers'"], ["desk's"]])("the %s OpenAPI document", (whose) => {
  const read = async (path: string): Promise<Response> =>
    fetch(`${whose === "desk's" ? product.deskUrl : product.apiUrl}${path}`);

  it("follows the recommended rules", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const source = await (await read("/openapi.json")).text();
    const found = await lintFromString({ source, absoluteRef: "openapi.json", config });
    expect(
      found.map(({ ruleId, message, location: [at] }) => [ruleId, message, at?.pointer]),
    ).toEqual([]);
  });

  it("describes the purpose, the answers and the group of every operation", async () => {
    const { paths } = described.parse(await (await read("/openapi.json")).json());
    const wanting = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { responses }]) => !Object.keys(responses).some((status) => status < "300"))
        .map(([method]) => `${method} ${path}`),
    );
    expect(wanting).toEqual([]);
  });

  it("has a valid example of every JSON request and answer", async () => {
    const document = described.parse(await (await read("/openapi.json")).json());
    expect(exampleFaults(document)).toEqual([]);
    expect(undescribedTexts(document)).toEqual([]);
  });

  it("describes every operation, parameter, component and property", async () => {
    const document = described.parse(await (await read("/openapi.json")).json());
    expect(undescribedParts(document)).toEqual([]);
  });

  it("is drawn as pages of the site, each operation that is served on one of them", async () => {
    const home = whose === "desk's" ? "/docs/desk-api" : "/docs/api";
    const first = await read(home);
    expect(first.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    const listed = await first.text();
    const urls = new Set(listed.match(new RegExp(`${home}/[a-z-]+`, "g")));
    const drawn = await Promise.all([...urls].map(async (url) => (await read(url)).text()));
    const { paths } = described.parse(await (await read("/openapi.json")).json());
    const wanting = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(
          ([
            ,
            {
              tags: [tag],
            },
          ]) => tag !== "Service",
        )
        .map(([method]) => `<code>${method.toUpperCase()} ${path}</code>`)
        .filter((text) => !listed.includes(text) || !drawn.some((page) => page.includes(text))),
    );
    expect(wanting).toEqual([]);
  });
});

describe("the customers' OpenAPI document", () => {
  it("leaves out the page that shows it", async () => {
    const document = await (await fetch(`${product.apiUrl}/openapi.json`)).json();
    const { paths } = described.parse(document);
    expect(Object.keys(paths).filter((path) => path.startsWith("/docs"))).toEqual([]);
  });

  it("has a webhook for every event type that is sent", async () => {
    const document = await (await fetch(`${product.apiUrl}/openapi.json`)).json();
    expect(Object.keys(described.parse(document).webhooks ?? {})).toEqual(SENT_EVENT_TYPES);
  });
});
