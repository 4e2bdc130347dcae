import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { customerDocument } from "../../services/api/routes.ts";
import { projectRoot } from "../project-root.ts";
import { clientFiles, GENERATED, typeOf } from "./client-files.ts";
import { customerOperations, type ApiDocument } from "./document.ts";

const document = customerDocument() as ApiDocument;
const files = clientFiles(document);

describe("the generated part of the client", () => {
  it("is what the API's document says (npm run client)", () => {
    const folder = join(projectRoot, GENERATED);
    expect(readdirSync(folder).toSorted()).toEqual([...files.keys()].toSorted());
    for (const [name, text] of files) {
      expect(readFileSync(join(folder, name), "utf8")).toBe(text);
    }
  });

  it("has a method for every operation that a key can call, but for the stream", () => {
    const operations = files.get("operations.ts") ?? "";
    const missing = customerOperations(document)
      .map(({ operationId }) => operationId)
      .filter((id) => !operations.includes(`  ${id}(`));
    expect(missing).toEqual(["streamPortingEvents"]);
  });

  it("has no type that Go would take for the constructor of another: New and its name", () => {
    const text = files.get("api-types.ts") ?? "";
    const types = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(
      ([, name = ""]) => name,
    );
    expect(types).toContain("ApiKeyWithSecret");
    expect(types.filter((name) => types.includes(`New${name}`))).toEqual([]);
  });

  it("changes with the document", () => {
    const fewer = { ...document, paths: {} };
    expect(clientFiles(fewer).get("operations.ts")).not.toBe(files.get("operations.ts"));
  });
});

describe("the type of a schema", () => {
  it.each([
    [{ type: "string" }, "string"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "integer" }, "number"],
    [{ type: "string", format: "binary" }, "Blob"],
    [{ const: false }, "false"],
    [{}, "unknown"],
    [{ $ref: "#/components/schemas/Fault" }, "Fault"],
    [
      { anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "string" }] },
      '"a" | "b" | (string & {})',
    ],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
    [{ type: "array", items: { type: ["string", "null"] } }, "readonly (string | null)[]"],
    [
      { type: "object", properties: {}, additionalProperties: {} },
      "Readonly<Record<string, unknown>>",
    ],
  ])("%j is %s", (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it("of an object has its fields with their descriptions, and those that may be absent as such", () => {
    const properties = {
      id: { type: "string", description: "Its id */" },
      note: { type: "string" },
    };
    expect(typeOf({ type: "object", properties, required: ["id"] })).toBe(
      "{\n  /** Its id *\\/ */\n  readonly id: string;\n  readonly note?: string | undefined;\n}",
    );
  });
});
