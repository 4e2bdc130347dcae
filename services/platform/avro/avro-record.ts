import avro, { type Schema, type Type } from "avsc";
import { AppError } from "../errors.ts";
import { boundBlocks } from "./bounded-blocks.ts";
import { requireFewSteps } from "./reading-steps.ts";
import type { AvroRecordSchema } from "./schema.ts";
import { HEADER_LENGTH, writeHeader } from "./wire-format.ts";

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
