import avro, { type Schema, type Type } from "avsc";
import { AppError } from "../errors.ts";
import type { AvroRecordSchema } from "./schema.ts";

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

/** Ours have 30 at most. */
const MOST_STEPS = 256;

/**
 * Refuses a schema by which few bytes could take long to read: records of records need none for themselves, so that forty
 * of them, each with two fields of the next, are a million million steps. What follows a byte, a branch of a union or an
 * item of an array, begins to count again.
 * @throws {RangeError}
 */
function requireFewSteps(type: Type): void {
  const counted = new Map<Type, number>();
  const waiting: Type[] = [type];
  const stepsOf = (one: Type): number => {
    const known = counted.get(one);
    if (known !== undefined) return known;
    counted.set(one, Infinity); // a record that has itself as a field never ends
    const steps = 1 + partsOf(one).reduce((sum, part) => sum + stepsOf(part), 0);
    counted.set(one, steps);
    waiting.push(...contentsOf(one));
    return steps;
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (stepsOf(next) > MOST_STEPS) {
      throw new RangeError("records have too many fields, or too many records in each other");
    }
  }
}

/** What is read with a value of the type, whatever its bytes are. */
function partsOf(type: Type): Type[] {
  const { RecordType, LogicalType } = avro.types;
  if (type instanceof RecordType) return type.fields.map((field) => field.type);
  return type instanceof LogicalType ? [type.underlyingType] : [];
}

/** What follows a byte of its own. */
function contentsOf(type: Type): Type[] {
  const { ArrayType, MapType, UnwrappedUnionType, WrappedUnionType } = avro.types;
  if (type instanceof ArrayType) return [type.itemsType];
  if (type instanceof MapType) return [type.valuesType as Type];
  const isUnion = type instanceof UnwrappedUnionType || type instanceof WrappedUnionType;
  return isUnion ? [...(type.types as readonly Type[])] : [];
}

/** avsc's reader, a position in a buffer, which its typings omit. */
interface Tap {
  readonly buf: Buffer;
  pos: number;
  /** How many items and entries the value has declared so far; absent for none. */
  declared?: number;
  readLong(): number;
  readString(): string;
  skipString(): void;
}

interface ItemReader {
  _read(tap: Tap): unknown;
  _skip(tap: Tap): void;
}

/**
 * The declared length of the next block, checked against the bytes: every item takes at least one. One without any, such
 * as null, counts as if it did, and those of a whole value are counted together: nested arrays would multiply them.
 */
function readBlockLength(tap: Tap): number {
  let length = tap.readLong();
  if (length < 0) {
    length = -length;
    tap.readLong();
  }
  if (length === 0) return 0;
  tap.declared = (tap.declared ?? 0) + length;
  const most = tap.buf.length;
  if (length > most - tap.pos || tap.declared > most) {
    throw new RangeError("a block is longer than its bytes");
  }
  return length;
}

/**
 * avsc trusts the declared length of an array: ten malicious bytes could make it allocate, or loop over,
 * gigabytes. This type refuses a length that the bytes cannot hold.
 */
class BoundedArrayType extends avro.types.ArrayType {
  _read(this: { readonly itemsType: unknown }, tap: Tap): unknown[] {
    const items = this.itemsType as ItemReader;
    const values: unknown[] = [];
    for (let left = readBlockLength(tap); left !== 0; left = readBlockLength(tap)) {
      for (; left > 0; left -= 1) values.push(items._read(tap));
    }
    return values;
  }

  _skip(tap: Tap): void {
    const items = this.itemsType as unknown as ItemReader;
    for (let left = readBlockLength(tap); left !== 0; left = readBlockLength(tap)) {
      for (; left > 0; left -= 1) items._skip(tap);
    }
  }
}

/** The same for maps. We have none, but others may write them into fields that we skip. */
class BoundedMapType extends avro.types.MapType {
  _read(this: { readonly valuesType: unknown }, tap: Tap): Record<string, unknown> {
    const values = this.valuesType as ItemReader;
    const entries: [string, unknown][] = [];
    for (let left = readBlockLength(tap); left !== 0; left = readBlockLength(tap)) {
      for (; left > 0; left -= 1) entries.push([tap.readString(), values._read(tap)]);
    }
    return Object.fromEntries(entries);
  }

  _skip(tap: Tap): void {
    const values = this.valuesType as unknown as ItemReader;
    for (let left = readBlockLength(tap); left !== 0; left = readBlockLength(tap)) {
      for (; left > 0; left -= 1) {
        tap.skipString();
        values._skip(tap);
      }
    }
  }
}

/** avsc's `typeHook`: makes every array and map of a schema a bounded one. */
function boundBlocks(schema: Schema, options: unknown): Type | undefined {
  if (typeof schema !== "object" || !("type" in schema)) return undefined;
  if (schema.type === "array") return new BoundedArrayType(schema, options);
  return schema.type === "map" ? new BoundedMapType(schema, options) : undefined;
}

/** Decodes the body of a value in the wire format. Throws `undecodable`. */
export type ReadBody = (value: Buffer) => unknown;

/** One of our record schemas: writes values with it, and reads values written with it or a compatible one. */
export interface AvroRecord {
  /** Encodes in the wire format. Throws `internal`, naming the field, if the message does not fit. */
  write(message: unknown, schemaId: number): Buffer;
  /** A reader for values written with exactly this schema. */
  readonly read: ReadBody;
  /** A reader for values written with another schema; if it is incompatible, every value is `undecodable`. */
  readerOf(writer: AvroRecordSchema): ReadBody;
}

/** avsc's type for a schema, with the guards needed to read untrusted bytes. */
export function avroType(schema: AvroRecordSchema): Type {
  // A copy, because avsc's typings require a mutable schema, although avsc never changes it.
  return avro.Type.forSchema(structuredClone(schema) as Schema, {
    typeHook: boundBlocks,
    omitRecordMethods: true,
  });
}

let scratch = Buffer.allocUnsafeSlow(64 * 1024);

function write(type: Type, message: unknown, schemaId: number): Buffer {
  let end: number;
  try {
    end = type.encode(message, scratch, HEADER_LENGTH);
    if (end < 0) {
      scratch = Buffer.allocUnsafeSlow(2 * (scratch.length - end));
      end = type.encode(message, scratch, HEADER_LENGTH);
    }
  } catch {
    throw misfit(type, message);
  }
  writeHeader(scratch, schemaId);
  return Buffer.from(scratch.subarray(0, end));
}

/** avsc's own message quotes the value, which may be a PIN; the path is enough and reveals nothing. */
function misfit(type: Type, message: unknown): AppError {
  const paths: string[] = [];
  type.isValid(message, { errorHook: (path) => paths.push(path.join(".")) });
  const where = paths.length === 0 ? "" : ` at ${paths.join(", ")}`;
  return new AppError("internal", `the message does not fit ${type.name ?? "its schema"}${where}`);
}

function reader(type: Type, resolver?: ReturnType<Type["createResolver"]>): ReadBody {
  return (value) => {
    let decoded: { readonly value: unknown; readonly offset: number };
    try {
      decoded = type.decode(value, HEADER_LENGTH, resolver);
    } catch (error) {
      throw new AppError("undecodable", `not a ${type.name ?? "record"}`, { cause: error });
    }
    if (decoded.offset !== value.length) {
      const fault = decoded.offset < 0 ? "the value ends too early" : "there are trailing bytes";
      throw new AppError("undecodable", `not a ${type.name ?? "record"}: ${fault}`);
    }
    return decoded.value;
  };
}

/** Prepares a schema for writing and reading; everything that it returns is synchronous. */
export function createAvroRecord(schema: AvroRecordSchema): AvroRecord {
  const type = avroType(schema);
  return {
    write: (message, schemaId) => write(type, message, schemaId),
    read: reader(type),
    readerOf(writer) {
      try {
        const written = avroType(writer);
        requireFewSteps(written);
        return reader(type, type.createResolver(written));
      } catch (error) {
        const detail = `written as ${writer.name}, which cannot be read as ${schema.name}`;
        return () => {
          throw new AppError("undecodable", detail, { cause: error });
        };
      }
    },
  };
}
