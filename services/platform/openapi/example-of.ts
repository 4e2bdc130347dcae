import { createHash } from "node:crypto";
import type { oas31 } from "zod-openapi";
import { COMPONENT, operationsOf, responsesOf } from "./operation-id.ts";

/** The parts of a schema that determine its example. */
interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

type Named = Readonly<Record<string, Schema>>;

const JSON_TYPE = "application/json";
const TIME = "2026-03-02T14:00:00.000Z";

/** Adds an example to every JSON request and response of a document. */
export function addExamples(document: oas31.OpenAPIObject): void {
  const named = document.components?.schemas ?? {};
  for (const operation of operationsOf(document)) {
    const { requestBody } = operation;
    const sent = requestBody !== undefined && "content" in requestBody ? requestBody.content : {};
    const json = sent[JSON_TYPE];
    if (json !== undefined) json.example = requestExample(json.schema ?? {}, named);
    for (const { content = {} } of responsesOf(operation)) {
      const answered = content[JSON_TYPE];
      if (answered !== undefined) answered.example = exampleOf(answered.schema ?? {}, named);
    }
  }
}

/** An example of a request: what is required, and what has an example of its own. */
function requestExample(schema: Schema, named: Named): unknown {
  if (schema.$ref !== undefined) {
    return requestExample(named[schema.$ref.slice(COMPONENT.length)] ?? {}, named);
  }
  const { properties = {}, required = [] } = schema;
  const shown = Object.entries(properties).filter(
    ([name, field]) => required.includes(name) || "examples" in field,
  );
  return exampleOf({ ...schema, properties: Object.fromEntries(shown) }, named);
}

/**
 * An example of a schema: its own if it has one, else composed from its parts. Equal names get equal ids,
 * so that the examples of different responses fit together.
 */
export function exampleOf(schema: Schema, named: Named, name = ""): unknown {
  const { $ref, examples, anyOf, allOf, type } = schema;
  if (examples !== undefined && examples.length > 0) return examples[0];
  if ($ref !== undefined) return exampleOf(named[$ref.slice(COMPONENT.length)] ?? {}, named, name);
  if ("const" in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (anyOf !== undefined) return alternativeExample(anyOf, named, name);
  if (allOf !== undefined) {
    return Object.assign({}, ...allOf.map((one) => exampleOf(one, named, name))) as unknown;
  }
  if (type === "object") return objectExample(schema, named);
  if (type === "array") return [exampleOf(schema.items ?? {}, named, name)];
  return leafExample(schema, name);
}

/** A nullable value is null, unless it has an example or is a list, a named schema or an id. */
function alternativeExample(all: readonly Schema[], named: Named, name: string): unknown {
  const [first = {}] = all;
  const isNullable = all.some(({ type }) => type === "null");
  const isId = first.format === "uuid";
  const isShown = isId || "examples" in first || "$ref" in first || first.type === "array";
  return isNullable && !isShown ? null : exampleOf(first, named, name);
}

function leafExample({ type, format, minimum }: Schema, name: string): unknown {
  if (type === "string") {
    if (format === "uuid") return idFor(name);
    return format === "date-time" ? TIME : "text";
  }
  if (type === "integer" || type === "number") return Math.max(1, minimum ?? 1);
  return type === "boolean" ? true : null;
}

/** Optional null fields are omitted, as in real responses. */
function objectExample({ properties = {}, required = [] }: Schema, named: Named): unknown {
  return Object.fromEntries(
    Object.entries(properties)
      .map(([name, field]) => [name, exampleOf(field, named, name)] as const)
      .filter(([name, value]) => value !== null || required.includes(name)),
  );
}

function idFor(name: string): string {
  const tail = createHash("sha256").update(name).digest("hex").slice(0, 12);
  return `0198c0de-0000-7000-8000-${tail}`;
}
