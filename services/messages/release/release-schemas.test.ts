import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { AvroField, AvroRecordSchema } from "../../platform/avro/schema.ts";
import { generateTypes, readHistory } from "../generate/generate-types.ts";
import { incompatibilities, releaseSchemas } from "./release-schemas.ts";

const NAME = "webhook-retry";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "release-schemas-"));
  cpSync(join(process.cwd(), "schemas"), join(root, "schemas"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const pathOf = (name: string): string => join(root, "schemas", `${name}.avsc`);
const textOf = (name: string): string => readFileSync(pathOf(name), "utf8");

/** Gives a schema another field. */
function grow(name: string, field: string): void {
  const fields = JSON.parse(field) as object;
  const schema = JSON.parse(textOf(name)) as { readonly fields: readonly object[] };
  const grown = { ...schema, fields: [...schema.fields, fields] };
  writeFileSync(pathOf(name), `${JSON.stringify(grown, null, 2)}\n`);
}

const NULLABLE =
  '{ "name": "note", "type": ["null", "string"], "default": null, "doc": "A note." }';
const REQUIRED = '{ "name": "note", "type": "string", "doc": "A note." }';

describe("a release of the schemas", () => {
  it("adds a schema that has grown to its history, and generates its types", () => {
    grow(NAME, NULLABLE);
    const known = readHistory(root, NAME).length;
    expect(releaseSchemas(root)).toEqual([{ name: NAME, version: known + 1 }]);
    const added = readFileSync(join(root, `schemas/history/${NAME}/v${known + 1}.avsc`), "utf8");
    expect(added).toBe(textOf(NAME));
    const types = readFileSync(join(root, `services/messages/generated/${NAME}.ts`), "utf8");
    expect(types).toBe(generateTypes(`${NAME}.avsc`, textOf(NAME)));
    expect(types).toContain("readonly note: string | null;");
  });

  it("adds nothing a second time, nor where only the layout changed", () => {
    writeFileSync(pathOf(NAME), JSON.stringify(JSON.parse(textOf(NAME))));
    expect(releaseSchemas(root)).toEqual([]);
    grow(NAME, NULLABLE);
    expect(releaseSchemas(root)).toHaveLength(1);
    expect(releaseSchemas(root)).toEqual([]);
  });

  it("begins the history of a new schema", () => {
    const schema = { ...(JSON.parse(textOf(NAME)) as object), name: "ParcelNote" };
    writeFileSync(pathOf("parcel-note"), JSON.stringify(schema));
    expect(releaseSchemas(root)).toEqual([{ name: "parcel-note", version: 1 }]);
    expect(readHistory(root, "parcel-note")).toEqual([schema]);
  });

  it("refuses what an earlier version cannot be read with, and writes nothing", () => {
    grow("carrier-task", NULLABLE);
    grow(NAME, REQUIRED);
    expect(() => releaseSchemas(root)).toThrow(
      /^webhook-retry is not compatible with its version 1/,
    );
    expect(readdirSync(join(root, "schemas/history/carrier-task"))).toEqual(["v1.avsc"]);
  });

  it("refuses that a released schema is taken away", () => {
    rmSync(pathOf(NAME));
    expect(() => releaseSchemas(root)).toThrow("webhook-retry was released");
  });
});

function recordSchema(...fields: AvroField[]): AvroRecordSchema {
  return { type: "record", name: "Parcel", fields };
}

function kind(symbols: readonly string[], fallback?: string): AvroField {
  const type = { type: "enum", name: "Kind", symbols } as const;
  return { name: "kind", type: fallback === undefined ? type : { ...type, default: fallback } };
}

const ID: AvroField = { name: "id", type: "string" };

describe("incompatibilities", () => {
  it.each<[string, AvroRecordSchema, AvroRecordSchema]>([
    ["the same schema", recordSchema(ID), recordSchema(ID)],
    [
      "an added nullable field",
      recordSchema(ID),
      recordSchema(ID, { name: "note", type: ["null", "string"], default: null }),
    ],
    [
      "an added symbol, with a default",
      recordSchema(kind(["other", "a"], "other")),
      recordSchema(kind(["other", "a", "b"], "other")),
    ],
    [
      "an added symbol in a nullable enum",
      recordSchema({ name: "k", type: ["null", kind(["other"], "other").type], default: null }),
      recordSchema({
        name: "k",
        type: ["null", kind(["other", "b"], "other").type],
        default: null,
      }),
    ],
  ])("allow %s", (_what, one, other) => {
    expect(incompatibilities(one, other)).toEqual([]);
  });

  it.each<[string, AvroRecordSchema, AvroRecordSchema]>([
    [
      "an added field without a default",
      recordSchema(ID),
      recordSchema(ID, { name: "x", type: "int" }),
    ],
    ["another type", recordSchema(ID), recordSchema({ name: "id", type: "long" })],
    [
      "a wider type, which the older reader cannot read",
      recordSchema({ name: "n", type: "int" }),
      recordSchema({ name: "n", type: "long" }),
    ],
    [
      "a field that became nullable",
      recordSchema(ID),
      recordSchema({ name: "id", type: ["null", "string"], default: null }),
    ],
    [
      "an added symbol without a default",
      recordSchema(kind(["a"])),
      recordSchema(kind(["a", "b"])),
    ],
    ["another name", recordSchema(ID), { ...recordSchema(ID), name: "Letter" }],
  ])("report %s, in either order", (_what, one, other) => {
    expect(incompatibilities(one, other)).not.toEqual([]);
    expect(incompatibilities(other, one)).not.toEqual([]);
  });
});
