import { createHash } from "node:crypto";
import type { JsonSchema } from "./json-schema.ts";

type Named = ReadonlyMap<string, JsonSchema>;

const COMPONENT = "#/components/schemas/";
const TIME = "2026-03-02T14:00:00.000Z";

/**
 * A value that a schema allows: its own example where it has one, else of what it is made of. Ids of one name are one
 * id, so that the examples of different answers belong together.
 */
export function exampleOf(schema: JsonSchema, named: Named, name = ""): unknown {
  const { $ref, examples, anyOf, allOf, type } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (typeof $ref === "string") {
    return exampleOf(named.get($ref.slice(COMPONENT.length)) ?? {}, named, name);
  }
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  if (Array.isArray(anyOf)) return alternativeExample(anyOf.map(asSchema), named, name);
  if (Array.isArray(allOf)) {
    return Object.assign(
      {},
      ...allOf.map((one) => exampleOf(asSchema(one), named, name)),
    ) as unknown;
  }
  if (type === "object") return objectExample(schema, named);
  if (type === "array") return [exampleOf(asSchema(schema["items"]), named, name)];
  return leafExample(schema, name);
}

/** What may be null is null, unless there is an example of it or it is a list or an id, which says where to read on. */
function alternativeExample(all: readonly JsonSchema[], named: Named, name: string): unknown {
  const [first = {}] = all;
  const isNullable = all.some(({ type }) => type === "null");
  const isId = first["format"] === "uuid";
  const isTold = isId || "examples" in first || "$ref" in first || first["type"] === "array";
  return isNullable && !isTold ? null : exampleOf(first, named, name);
}

function leafExample({ type, format, minimum }: JsonSchema, name: string): unknown {
  if (type === "string") {
    if (format === "uuid") return idFor(name);
    return format === "date-time" ? TIME : "text";
  }
  if (type === "integer" || type === "number") return Math.max(1, Number(minimum ?? 1));
  return type === "boolean" ? true : null;
}

/** What is optional and null is left out: it is there only where there is something to say. */
function objectExample({ properties, required }: JsonSchema, named: Named): JsonSchema {
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.fromEntries(
    Object.entries(asSchema(properties))
      .map(([name, field]) => [name, exampleOf(asSchema(field), named, name)] as const)
      .filter(([name, value]) => value !== null || names.includes(name)),
  );
}

function idFor(name: string): string {
  const tail = createHash("sha256").update(name).digest("hex").slice(0, 12);
  return `0198c0de-0000-7000-8000-${tail}`;
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
