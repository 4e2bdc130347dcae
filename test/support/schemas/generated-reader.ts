import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateTypes } from "../../../services/messages/generate/generate-types.ts";
import { createAvroRecord, type AvroRecord } from "../../../services/platform/avro/avro-record.ts";
import type { AvroRecordSchema } from "../../../services/platform/avro/schema.ts";

/** A reader with the schema of the module that is generated from a version, as a service of that time has it. */
export async function generatedReader(version: AvroRecordSchema): Promise<AvroRecord> {
  const folder = mkdtempSync(join(tmpdir(), "generated-reader-"));
  try {
    const path = join(folder, "generated.ts");
    writeFileSync(path, generateTypes("generated.avsc", JSON.stringify(version)));
    const module = (await import(path)) as Readonly<Record<string, unknown>>;
    const [, schema] = Object.entries(module).find(([name]) => name.endsWith("_SCHEMA")) ?? [];
    return createAvroRecord(schema as AvroRecordSchema);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
