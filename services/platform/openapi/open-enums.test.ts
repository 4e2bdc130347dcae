import { describe, expect, it } from "@jest/globals";
import type { oas31 } from "zod-openapi";
import { openEnums } from "./open-enums.ts";

const closed = () => ({ type: "string" as const, enum: ["a", "b"] });
const open = { anyOf: [closed(), { type: "string" }] };
const json = (schema: oas31.SchemaObject | oas31.ReferenceObject) => {
  return { content: { "application/json": { schema } } };
};

function opened(schema: oas31.SchemaObject): oas31.OpenAPIObject {
  const document: oas31.OpenAPIObject = {
    openapi: "3.1.0",
    info: { title: "A test", version: "1" },
    paths: {
      "/things": {
        post: {
          requestBody: json({ type: "object", properties: { kind: closed() } }),
          responses: {
            200: { description: "OK", ...json({ $ref: "#/components/schemas/Thing" }) },
          },
        },
      },
    },
    components: { schemas: { Thing: schema } },
  };
  openEnums(document);
  return document;
}

describe("the enumerations of a document", () => {
  it("are open in responses, wherever they are", () => {
    const nullable = { anyOf: [closed(), { type: "null" as const }] };
    const { components } = opened({
      type: "object",
      properties: { kind: closed(), kinds: { type: "array", items: closed() }, none: nullable },
    });
    expect(components?.schemas?.["Thing"]).toEqual({
      type: "object",
      properties: {
        kind: open,
        kinds: { type: "array", items: open },
        none: { anyOf: [...open.anyOf, { type: "null" }] },
      },
    });
  });

  it("stay closed in requests", () => {
    const { paths } = opened(closed());
    expect(paths?.["/things"]?.post?.requestBody).toEqual(
      json({ type: "object", properties: { kind: closed() } }),
    );
  });
});
