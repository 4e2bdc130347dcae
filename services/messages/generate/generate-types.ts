import {
  isUnion,
  type AvroEnumSchema,
  type AvroRecordSchema,
  type AvroSchema,
} from "../../platform/avro/schema.ts";

type Declaration = AvroRecordSchema | AvroEnumSchema;

const PRIMITIVES: Readonly<Record<string, string>> = {
  null: "null",
  boolean: "boolean",
  int: "number",
  long: "number",
  string: "string",
};

/** The TypeScript type of a schema; adds the named types it contains to `declarations`. */
function typeOf(schema: AvroSchema, declarations: Map<string, Declaration>): string {
  if (typeof schema === "string") {
    const type = PRIMITIVES[schema] ?? declarations.get(schema)?.name;
    if (type === undefined) throw new Error(`no type for the Avro type ${schema}`);
    return type;
  }
  if (isUnion(schema)) {
    const nullLast = [...schema].sort(
      (one, other) => Number(one === "null") - Number(other === "null"),
    );
    return nullLast.map((branch) => typeOf(branch, declarations)).join(" | ");
  }
  switch (schema.type) {
    case "long":
      return "EpochMs";
    case "array":
      return `readonly ${typeOf(schema.items, declarations)}[]`;
    case "enum":
    case "record":
      declare(schema, declarations);
      return schema.name;
  }
}

/** Adds a named type, after the types its fields use. */
function declare(schema: Declaration, declarations: Map<string, Declaration>): void {
  if (schema.type === "record") {
    for (const field of schema.fields) typeOf(field.type, declarations);
  }
  declarations.set(schema.name, schema);
}

function docComment(doc: string | undefined, indent = ""): string {
  return doc === undefined ? "" : `${indent}/** ${doc} */\n`;
}

function declaration(schema: Declaration, declarations: Map<string, Declaration>): string {
  if (schema.type === "enum") {
    const symbols = schema.symbols.map((symbol) => `  | ${JSON.stringify(symbol)}`);
    return `${docComment(schema.doc)}export type ${schema.name} =\n${symbols.join("\n")};\n`;
  }
  const fields = schema.fields.map(
    ({ doc, name, type }) =>
      `${docComment(doc, "  ")}  readonly ${name}: ${typeOf(type, declarations)};\n`,
  );
  return `${docComment(schema.doc)}export interface ${schema.name} {\n${fields.join("")}}\n`;
}

/** `CarrierUpdate` → `CARRIER_UPDATE`. */
function constantName(record: string): string {
  return record.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}

function templateLiteral(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``;
}

/**
 * Generates the TypeScript module for a schema file: an interface per record, a union per enum, the file's
 * own text, which the registry is given, and the schema.
 */
export function generateTypes(fileName: string, text: string): string {
  const schema = JSON.parse(text) as AvroRecordSchema;
  const constant = constantName(schema.name);
  const declarations = new Map<string, Declaration>();
  declare(schema, declarations);
  const types = [...declarations.values()].map((named) => declaration(named, declarations));
  const body = types.join("\n");
  return [
    `// Made from schemas/${fileName} by \`npm run messages\`; do not edit.\n`,
    'import type { AvroRecordSchema } from "../../platform/avro/schema.ts";\n',
    body.includes("EpochMs") ? 'import type { EpochMs } from "../epoch-ms.ts";\n' : "",
    `\n${body}\n`,
    `export const ${constant}_TEXT = ${templateLiteral(text)};\n\n`,
    `export const ${constant}_SCHEMA = JSON.parse(${constant}_TEXT) as AvroRecordSchema;\n`,
  ].join("");
}
