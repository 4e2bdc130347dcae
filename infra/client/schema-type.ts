import { componentOf, type Schema } from "./document.ts";

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** Keeps the known values in an editor's suggestions, where plain `string` would swallow them. */
const ANY_OTHER_TEXT = "(string & {})";

/** The TypeScript type of a JSON schema. */
export function typeOf(schema: Schema, indent = ""): string {
  const component = componentOf(schema);
  if (component !== null) return component;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return unionOf(alternatives, indent);
  if (schema.allOf !== undefined) {
    return schema.allOf.map((part) => grouped(typeOf(part, indent))).join(" & ");
  }
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "unknown";
  return union(types.map((type) => plainType(type, schema, indent)));
}

function unionOf(alternatives: readonly Schema[], indent: string): string {
  const isOpen = alternatives.some((one) => one.enum !== undefined);
  return union(
    alternatives.map((one) => (isOpen && isAnyText(one) ? ANY_OTHER_TEXT : typeOf(one, indent))),
  );
}

function isAnyText(schema: Schema): boolean {
  return schema.type === "string" && schema.enum === undefined && schema.const === undefined;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function grouped(type: string): string {
  return /[|&]/.test(type) ? `(${type})` : type;
}

function plainType(type: string, schema: Schema, indent: string): string {
  if (type === "array") return `readonly ${grouped(typeOf(schema.items ?? {}, indent))}[]`;
  if (type === "object") return objectType(schema, indent);
  if (schema.format === "binary") return "Blob";
  const primitive = PRIMITIVES[type];
  if (primitive === undefined) throw new Error(`no TypeScript type for the JSON type ${type}`);
  return primitive;
}

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, additionalProperties } = schema;
  const isOpen = typeof additionalProperties === "object" || additionalProperties === true;
  const more =
    typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown";
  const record = `Readonly<Record<string, ${more}>>`;
  if (Object.keys(properties).length === 0)
    return isOpen ? record : "Readonly<Record<string, never>>";
  const fields = fieldsOf(schema, indent);
  return isOpen ? `${fields} & ${record}` : fields;
}

/** `{ … }` with a line for each property. */
export function fieldsOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema, inner);
    const field = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `${docComment(schema.description, inner)}${inner}readonly ${field};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

/** Empty where there is nothing to say. */
export function docComment(text: string | undefined, indent: string): string {
  if (text === undefined || text === "") return "";
  return `${indent}/** ${text.replaceAll(/\s+/g, " ").replaceAll("*/", "*\\/")} */\n`;
}

/** The components that a schema refers to itself. */
export function referencesOf(schema: Schema): string[] {
  const component = componentOf(schema);
  const {
    anyOf = [],
    oneOf = [],
    allOf = [],
    items,
    properties = {},
    additionalProperties,
  } = schema;
  const parts = [...anyOf, ...oneOf, ...allOf, ...Object.values(properties)];
  if (items !== undefined) parts.push(items);
  if (typeof additionalProperties === "object") parts.push(additionalProperties);
  return [...(component === null ? [] : [component]), ...parts.flatMap(referencesOf)];
}
