import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What callers send, or what they are answered. */
export type Direction = "input" | "output";

/** Turns zod schemas into JSON Schema, those with an id into references to `named`. */
export interface SchemaWriter {
  write(schema: z.core.$ZodType, direction: Direction): JsonSchema;
  /** For `components.schemas`. */
  readonly named: ReadonlyMap<string, JsonSchema>;
}

const DEFINED = "#/$defs/";
const COMPONENT = "#/components/schemas/";
/** zod's own expressions for these formats: long, and nothing that the format does not say. */
const FORMATS_THAT_SAY_ALL: ReadonlySet<unknown> = new Set(["uuid", "date-time"]);

export function createSchemaWriter(): SchemaWriter {
  const named = new Map<string, JsonSchema>();
  return {
    named,
    write: (schema, direction) => {
      // In a list, so that a schema with an id of its own becomes a reference as well.
      const { items, $defs = {} } = z.toJSONSchema(z.array(schema), {
        io: direction,
        unrepresentable: "any",
        override: ({ jsonSchema }) => {
          tidy(jsonSchema, direction);
        },
      });
      for (const [id, definition] of Object.entries($defs)) {
        delete definition["id"];
        named.set(id, asObject(withComponents(definition)));
      }
      return asObject(withComponents(items));
    },
  };
}

function tidy(schema: Record<string, unknown>, direction: Direction): void {
  if (FORMATS_THAT_SAY_ALL.has(schema["format"]) || schema["type"] === "integer") {
    delete schema["pattern"];
  }
  // An answer may gain fields within the version; zod closes every object that it puts out.
  if (direction === "output" && schema["additionalProperties"] === false) {
    delete schema["additionalProperties"];
  }
}

function withComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponents);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name === "$ref" && typeof inner === "string"
        ? [name, inner.replace(DEFINED, COMPONENT)]
        : [name, withComponents(inner)],
    ),
  );
}

function asObject(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
