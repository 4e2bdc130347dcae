import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";

/** Reads one `.avsc` file. */
export function readSchema(path: string): AvroRecordSchema {
  return JSON.parse(readFileSync(path, "utf8")) as AvroRecordSchema;
}

/** The message schemas by file name without extension, from `<root>/schemas`. */
export function readSchemas(root: string): ReadonlyMap<string, AvroRecordSchema> {
  const folder = join(root, "schemas");
  const files = readdirSync(folder).filter((file) => file.endsWith(".avsc"));
  return new Map(
    files.sort().map((file) => [file.replace(/\.avsc$/, ""), readSchema(join(folder, file))]),
  );
}

/** Every released version of a schema, oldest first, from `<root>/schemas/history/<name>/v<n>.avsc`. */
export function readHistory(root: string, name: string): readonly AvroRecordSchema[] {
  const folder = join(root, "schemas", "history", name);
  const version = (file: string) => Number(/^v(\d+)\.avsc$/.exec(file)?.[1]);
  const files = readdirSync(folder).sort((one, other) => version(one) - version(other));
  return files.map((file) => readSchema(join(folder, file)));
}
