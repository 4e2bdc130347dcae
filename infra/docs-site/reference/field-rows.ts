import { componentOf, type Schema } from "../../client/document.ts";
import { markdownTable } from "../generated/limit-tables.ts";

/** How the names in a schema are looked up, and which of them are shown elsewhere. */
export interface Shapes {
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Where a shape has a table of its own; undefined: its fields stand where it is used. */
  readonly homes: ReadonlyMap<string, string>;
}

type Row = readonly [name: string, type: string, meaning: string];

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "UUID",
  "date-time": "time",
  uri: "URL",
  binary: "file",
};
const TYPES: Readonly<Record<string, string>> = { string: "text", boolean: "true or false" };

/** The schema that a reference stands for, with the description that stands beside it. */
export function resolved({ schemas }: Shapes, schema: Schema): Schema {
  const name = componentOf(schema);
  const found = name === null ? undefined : schemas[name];
  if (found === undefined) return schema;
  return schema.description === undefined ? found : { ...found, description: schema.description };
}

/** Whether a shape has fields, so that it can have a table. */
export function hasFields({ properties = {} }: Schema): boolean {
  return Object.keys(properties).length > 0;
}

/** The object that a value is, or that the items of a list are; null for other values. */
function objectIn(
  shapes: Shapes,
  schema: Schema,
): { readonly schema: Schema; readonly mark: string } | null {
  const name = componentOf(schema);
  if (name !== null && shapes.homes.has(name)) return null;
  const { anyOf, items, ...one } = resolved(shapes, schema);
  if (hasFields(one)) return { schema: one, mark: "" };
  const inner = items === undefined ? null : objectIn(shapes, items);
  if (inner !== null) return { ...inner, mark: `[]${inner.mark}` };
  return (anyOf ?? []).map((part) => objectIn(shapes, part)).find((part) => part !== null) ?? null;
}

/** The type of a value, in words. */
export function typeText(shapes: Shapes, schema: Schema): string {
  const name = componentOf(schema);
  const home = name === null ? undefined : shapes.homes.get(name);
  if (name !== null && home !== undefined) return `[\`${name}\`](${home})`;
  const { anyOf, enum: values, const: only, items, format, type } = resolved(shapes, schema);
  if (anyOf !== undefined) {
    const hasKnown = anyOf.some((one) => one.enum !== undefined);
    const parts = anyOf.map((one) =>
      hasKnown && one.type === "string" && one.enum === undefined
        ? "another"
        : typeText(shapes, one),
    );
    return [...new Set(parts)].join(" or ");
  }
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (items !== undefined) return `list of ${typeText(shapes, items)}`;
  const types = [type ?? "any value"].flat();
  return types
    .map((one) => (one === "string" && FORMATS[format ?? ""]) || (TYPES[one] ?? one))
    .join(" or ");
}

function rowsOf(shapes: Shapes, { properties = {}, required = [] }: Schema, before: string): Row[] {
  return Object.entries(properties).flatMap(([name, schema]): Row[] => {
    const type = typeText(shapes, schema) + (required.includes(name) ? "" : ", optional");
    const { description = "" } = resolved(shapes, schema);
    const inner = objectIn(shapes, schema);
    const own: Row = [`\`${before}${name}\``, type, description];
    return inner === null
      ? [own]
      : [own, ...rowsOf(shapes, inner.schema, `${before}${name}${inner.mark}.`)];
  });
}

/** The fields of an object, those of objects in it below them. */
export function fieldTable(shapes: Shapes, schema: Schema): string {
  return markdownTable(["Field", "Type", "Meaning"], rowsOf(shapes, resolved(shapes, schema), ""));
}
