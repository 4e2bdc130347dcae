import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";

/** Reads one `.avsc` file. */
export function readSchema(path: string): AvroRecordSchema {
  return JSON.parse(readFileSync(path, "utf8")) as AvroRecordSchema;
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
export function readHistoryTexts(root: string, name: string): readonly string[] {
  const folder = join(root, "schemas", "history", name);
  const version = (file: string) => Number(/^v(\d+)\.avsc$/.exec(file)?.[1]);
  const files = readdirSync(folder).sort((one, other) => version(one) - version(other));
  return files.map((file) => readFileSync(join(folder, file), "utf8"));
}
