import { AppError } from "../errors.ts";

/** Bytes before the Avro body in the Confluent wire format: a zero and the schema's id, big-endian. */
export const HEADER_LENGTH = 5;

const MAGIC_BYTE = 0;

/** Writes the header to the start of the buffer. */
export function writeHeader(buffer: Buffer, schemaId: number): void {
  buffer.writeUInt8(MAGIC_BYTE, 0);
  buffer.writeUInt32BE(schemaId, 1);
}

/** The id of the schema that the value was written with. Throws `undecodable`. */
export function readSchemaId(value: Buffer): number {
  if (value.length < HEADER_LENGTH || value[0] !== MAGIC_BYTE) {
    throw new AppError("undecodable", "the value is not in the Confluent wire format");
  }
  return value.readUInt32BE(1);
}
