import { avroType } from "./avro-record.ts";
import type { AvroRecordSchema } from "./schema.ts";

function unreadable(reader: AvroRecordSchema, writer: AvroRecordSchema): string[] {
  try {
    avroType(reader).createResolver(avroType(writer));
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Why two versions of a schema are not FULL compatible, each reading the other; empty if they are. */
export function incompatibilities(one: AvroRecordSchema, other: AvroRecordSchema): string[] {
  return [...unreadable(one, other), ...unreadable(other, one)];
}
