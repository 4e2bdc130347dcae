import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { incompatibilities } from "./release/release-schemas.ts";
import {
  isUnion,
  type AvroEnumSchema,
  type AvroRecordSchema,
  type AvroSchema,
} from "../platform/avro/schema.ts";
import {
  generateReleased,
  generateTypes,
  readHistory,
  readSchemas,
  readSchemaTexts,
  RELEASED,
} from "./generate/generate-types.ts";

const root = process.cwd();
const schemas = readSchemas(root);
const texts = readSchemaTexts(root);

type Named = AvroRecordSchema | AvroEnumSchema;

/** Every record and enum in a schema, including itself. */
function namedIn(schema: AvroSchema): readonly Named[] {
  if (typeof schema === "string") return [];
  if (isUnion(schema)) return schema.flatMap(namedIn);
  switch (schema.type) {
    case "long":
      return [];
    case "array":
      return namedIn(schema.items);
    case "enum":
      return [schema];
    case "record":
      return [schema, ...schema.fields.flatMap(({ type }) => namedIn(type))];
  }
}

const all = [...schemas.values()].flatMap(namedIn);

describe.each([...schemas])("schema %s", (name, schema) => {
  const named = namedIn(schema);

  it("documents every record, enum and field", () => {
    const fields = named.flatMap((type) => (type.type === "record" ? type.fields : []));
    const silent = [...named, ...fields].filter(({ doc }) => doc === undefined || doc.length < 4);
    expect(silent).toEqual([]);
  });

  it("has extensible enums", () => {
    const enums = named.filter((type) => type.type === "enum");
    expect(enums.map(({ symbols }) => symbols[0])).toEqual(enums.map(() => "unrecognized"));
    expect(enums.map((type) => type.default)).toEqual(enums.map(() => "unrecognized"));
  });

  it("has null as the first branch and the default of every union", () => {
    const fields = named.flatMap((type) => (type.type === "record" ? type.fields : []));
    const unions = fields.filter(({ type }) => isUnion(type));
    const firsts = unions.map(({ type, default: value }) => [isUnion(type) && type[0], value]);
    expect(firsts).toEqual(unions.map(() => ["null", null]));
  });

  // (docs/contract/messages.md, Topics and messages: the contract of the bus)
  it("has ids, numbers and port dates as text, instants as timestamp-millis", () => {
    const fields = named.flatMap((type) => (type.type === "record" ? type.fields : []));
    const misfits = fields.flatMap(({ name, type }) => {
      const kind = [type].flat().find((branch) => branch !== "null");
      if (/^foc_|_foc$|(^|_)id$|(^|_)number$/.test(name)) return kind === "string" ? [] : [name];
      const isInstant = /(^|_)at$|_deadline$/.test(name);
      const millis = { type: "long", logicalType: "timestamp-millis" };
      return isInstant && !isDeepStrictEqual(kind, millis) ? [name] : [];
    });
    expect(misfits).toEqual([]);
  });

  it("is FULL_TRANSITIVE compatible with every version in its history", () => {
    const faults = readHistory(root, name).map((version) => incompatibilities(schema, version));
    expect(faults).toEqual(faults.map(() => []));
    expect(faults.length).toBeGreaterThan(0);
  });

  it("is the newest version of its history (else run `npm run release:schemas`)", () => {
    expect(readHistory(root, name).at(-1)).toEqual(schema);
  });

  it("has its types generated (else run `npm run messages`)", () => {
    const path = join(root, "services", "messages", "generated", `${name}.ts`);
    expect(readFileSync(path, "utf8")).toBe(generateTypes(`${name}.avsc`, texts.get(name) ?? ""));
  });
});

describe("the schemas together", () => {
  it("have their releases generated (else run `npm run messages`)", () => {
    const path = join(root, "services", "messages", "generated", `${RELEASED}.ts`);
    expect(readFileSync(path, "utf8")).toBe(generateReleased(root));
  });

  it("have no leftover generated files or histories", () => {
    const names = [...schemas.keys()];
    expect(readdirSync(join(root, "services", "messages", "generated")).sort()).toEqual(
      [...names, RELEASED].sort().map((name) => `${name}.ts`),
    );
    expect(readdirSync(join(root, "schemas", "history")).sort()).toEqual(names);
  });

  it("never use one name for two types, so that all fit into one generated package", () => {
    const byName = new Map<string, Set<string>>();
    for (const type of all) {
      byName.set(type.name, (byName.get(type.name) ?? new Set()).add(JSON.stringify(type)));
    }
    const doubled = [...byName].filter(([, definitions]) => definitions.size > 1);
    expect(doubled.map(([name]) => name)).toEqual([]);
  });
});
