import { readFileSync } from "node:fs";
import { join } from "node:path";
import avro, { type Schema } from "avsc";
import { describe, expect, it } from "@jest/globals";
import { CARRIER_RECEIPT_SCHEMA } from "../../services/messages/generated/carrier-receipt.ts";
import { CARRIER_REQUEST_SCHEMA } from "../../services/messages/generated/carrier-request.ts";
import { CARRIER_UPDATE_SCHEMA } from "../../services/messages/generated/carrier-update.ts";
import { projectRoot } from "../project-root.ts";
import { codeBlocks } from "./code-blocks.ts";

const SCHEMAS = [CARRIER_REQUEST_SCHEMA, CARRIER_UPDATE_SCHEMA, CARRIER_RECEIPT_SCHEMA];

const samples = new Map(
  codeBlocks(readFileSync(join(projectRoot, "docs", "carriers.md"), "utf8")).flatMap(
    ({ attributes: { record }, text }): [string, object][] =>
      record === undefined ? [] : [[record, JSON.parse(text) as object]],
  ),
);

describe("the records in docs/carriers.md", () => {
  it.each(SCHEMAS)("are as the schema has them: $name", (schema) => {
    const type = avro.Type.forSchema(schema as Schema);
    const { fields } = schema;
    const sample = samples.get(schema.name) ?? {};
    expect(type.isValid(sample)).toBe(true);
    const names = new Set<string>(fields.map(({ name }) => name));
    expect(Object.keys(sample).filter((name) => !names.has(name))).toEqual([]);
  });
});
