import fc, { type Arbitrary } from "fast-check";
import {
  isUnion,
  type AvroEnumSchema,
  type AvroRecordSchema,
  type AvroSchema,
} from "../../../services/platform/avro/schema.ts";

type Named = Map<string, AvroRecordSchema | AvroEnumSchema>;

const INSTANT = fc.integer({ min: 0, max: 4_102_444_800_000 });
const PRIMITIVES: Readonly<Record<string, Arbitrary<unknown>>> = {
  null: fc.constant(null),
  boolean: fc.boolean(),
  int: fc.integer(),
  long: INSTANT,
  string: fc.string(),
};

/** Any value of a schema. */
export function valueOf(schema: AvroSchema, named: Named = new Map()): Arbitrary<unknown> {
  if (typeof schema === "string") return PRIMITIVES[schema] ?? valueOf(known(schema, named), named);
  if (isUnion(schema)) return fc.oneof(...schema.map((branch) => valueOf(branch, named)));
  switch (schema.type) {
    case "long":
      return INSTANT;
    case "array":
      return fc.array(valueOf(schema.items, named), { maxLength: 3 });
    case "enum":
      named.set(schema.name, schema);
      return fc.constantFrom(...schema.symbols);
    case "record":
      named.set(schema.name, schema);
      return fc.record(
        Object.fromEntries(schema.fields.map(({ name, type }) => [name, valueOf(type, named)])),
      );
  }
}

/** What a reader with this schema makes of a value of another version: its own fields, and symbols that it knows. */
export function asReadBy(
  schema: AvroSchema,
  value: unknown,
  named: Named = new Map<string, AvroRecordSchema | AvroEnumSchema>(),
): unknown {
  if (typeof schema === "string") {
    return schema in PRIMITIVES ? value : asReadBy(known(schema, named), value, named);
  }
  if (isUnion(schema)) {
    // Branches are visited all, because a later field may refer to a type by its name.
    const [branch] = schema.filter((one) => one !== "null");
    const read = asReadBy(branch ?? "null", value, named);
    return value === null ? null : read;
  }
  switch (schema.type) {
    case "long":
      return value;
    case "array": {
      const items = Array.isArray(value) ? value : [];
      asReadBy(schema.items, null, named);
      return items.map((item: unknown) => asReadBy(schema.items, item, named));
    }
    case "enum":
      named.set(schema.name, schema);
      return schema.symbols.includes(String(value)) ? value : schema.default;
    case "record":
      named.set(schema.name, schema);
      return readRecord(schema, value, named);
  }
}

function readRecord({ fields }: AvroRecordSchema, value: unknown, named: Named): unknown {
  const written: Readonly<Record<string, unknown>> =
    typeof value === "object" && value !== null ? { ...value } : {};
  const read = fields.map(({ name, type, default: absent }) => {
    const inner = asReadBy(type, written[name] ?? null, named);
    return [name, name in written ? inner : absent] as const;
  });
  return Object.fromEntries(read);
}

function known(name: string, named: Named): AvroSchema {
  const schema = named.get(name);
  if (schema === undefined) throw new Error(`There is no Avro type ${name} before its first use.`);
  return schema;
}
