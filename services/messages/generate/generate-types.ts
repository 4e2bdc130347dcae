import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

/** The texts of the message schemas by file name without extension, from `<root>/schemas`. */
export function readSchemaTexts(root: string): ReadonlyMap<string, string> {
  const folder = join(root, "schemas");
  const files = readdirSync(folder).filter((file) => file.endsWith(".avsc"));
  const textOf = (file: string): string => readFileSync(join(folder, file), "utf8");
  return new Map(files.sort().map((file) => [file.replace(/\.avsc$/, ""), textOf(file)]));
}

/** The message schemas by file name without extension, from `<root>/schemas`. */
export function readSchemas(root: string): ReadonlyMap<string, AvroRecordSchema> {
  const parse = (text: string): AvroRecordSchema => JSON.parse(text) as AvroRecordSchema;
  return new Map([...readSchemaTexts(root)].map(([name, text]) => [name, parse(text)]));
}

/** Every released version of a schema, oldest first, from `<root>/schemas/history/<name>/v<n>.avsc`. */
export function readHistory(root: string, name: string): readonly AvroRecordSchema[] {
  return readHistoryTexts(root, name).map((text) => JSON.parse(text) as AvroRecordSchema);
}

/** The texts of the same. */
function readHistoryTexts(root: string, name: string): readonly string[] {
  const folder = join(root, "schemas", "history", name);
  const version = (file: string) => Number(/^v(\d+)\.avsc$/.exec(file)?.[1]);
  const files = readdirSync(folder).sort((one, other) => version(one) - version(other));
  return files.map((file) => readFileSync(join(folder, file), "utf8"));
}

/** Generates the module of every schema in `<root>/schemas`. */
export function writeTypes(root: string): void {
  const folder = join(root, "services", "messages", "generated");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of readSchemaTexts(root)) {
    writeFileSync(join(folder, `${name}.ts`), generateTypes(`${name}.avsc`, text));
  }
  writeFileSync(join(folder, `${RELEASED}.ts`), generateReleased(root));
}

/** The module with what was released of every schema. */
export const RELEASED = "released-schemas";

export function generateReleased(root: string): string {
  const lines = [...readSchemas(root)].flatMap(([file, { name }]) => [
    `  ${name}: [`,
    ...readHistoryTexts(root, file).map((text) => `    ${JSON.stringify(text)},`),
    "  ],",
  ]);
  return [
    "// Made from schemas/history by `npm run messages`; do not edit.",
    "",
    "/** The texts of every released version of a schema, oldest first, by the name of its record. */",
    "export const RELEASED_SCHEMAS: Readonly<Record<string, readonly string[]>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}
