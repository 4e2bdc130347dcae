import { createRequire } from "node:module";
import type { IHeaders } from "kafkajs";

interface Codec {
  decompress(bytes: Buffer): Promise<Buffer>;
}

/** As kafkajs' consumer takes them; 64-bit numbers are decimal. */
interface BatchContext {
  readonly firstOffset: string;
  readonly firstTimestamp: string;
  readonly partitionLeaderEpoch: number;
  readonly inTransaction: boolean;
  readonly isControlBatch: boolean;
  readonly lastOffsetDelta: number;
  readonly producerId: string;
  readonly producerEpoch: number;
  readonly firstSequence: number;
  readonly maxTimestamp: string;
  readonly timestampType: number;
  readonly magicByte: number;
}

export interface DecodedRecord {
  readonly magicByte: number;
  readonly attributes: number;
  readonly timestamp: string;
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: IHeaders;
  readonly isControlRecord: boolean;
  readonly batchContext: BatchContext;
}

const load = createRequire(import.meta.url);
const FETCH = "kafkajs/src/protocol/requests/fetch";
const CODECS = "kafkajs/src/protocol/message/compression/index.js";
const { lookupCodecByAttributes: codecOf } = load(CODECS) as {
  lookupCodecByAttributes: (attributes: number) => Codec | null;
};

/** The versions of the answer to a fetch that decode record batches. */
const VERSIONS = [4, 5, 6, 7, 8, 9, 10, 11];
const HEAD_BYTES = 61;
const LENGTH_ENDS_AT = 12;
const LOG_APPEND_TIME = 1;

/**
 * kafkajs 2.2.4 copies all headers of a record for each of them: 12,000 headers, 96 kB, take it longer than a session.
 * And it passes the records of a batch as arguments, which are too many from some 120,000 on. All its later fetches
 * decode as below, in time that grows with the bytes.
 */
export function mendRecordDecoder(): void {
  const path = load.resolve(`${FETCH}/v4/decodeMessages.js`);
  const decode = load(path) as { readonly name: string };
  const cached = load.cache[path];
  if (cached === undefined || decode.name === decodeFetched.name) return;
  cached.exports = decodeFetched;
  // They are loaded at each fetch, and would have the function of before.
  for (const version of VERSIONS) {
    Reflect.deleteProperty(load.cache, load.resolve(`${FETCH}/v${version}/response.js`));
  }
}

async function decodeFetched(decoder: {
  readInt32(): number;
  canReadBytes(length: number): boolean;
  readBytes(length: number): Buffer;
}): Promise<DecodedRecord[]> {
  const size = decoder.readInt32();
  if (size <= 0 || !decoder.canReadBytes(size)) return [];
  return decodeRecordBatches(decoder.readBytes(size));
}

/** The records of whole batches; what the limit of a fetch has cut off is fetched again. */
export async function decodeRecordBatches(set: Buffer): Promise<DecodedRecord[]> {
  const records: DecodedRecord[] = [];
  for (let at = 0; set.length - at >= HEAD_BYTES;) {
    const end = at + LENGTH_ENDS_AT + set.readInt32BE(at + 8);
    if (end > set.length || end < at + HEAD_BYTES) break;
    const batch = set.subarray(at, end);
    const codec = codecOf(batch.readInt16BE(21));
    const packed = batch.subarray(HEAD_BYTES);
    const bytes = codec === null ? packed : await codec.decompress(packed);
    decodeRecords(bytes, { batch, into: records });
    at = end;
  }
  return records;
}

function decodeRecords(
  bytes: Buffer,
  { batch, into }: { readonly batch: Buffer; readonly into: DecodedRecord[] },
): void {
  const context = contextOf(batch);
  const firstOffset = batch.readBigInt64BE(0);
  const firstTimestamp = batch.readBigInt64BE(27);
  const count = batch.readInt32BE(57);
  const reader = new RecordReader(bytes);
  for (let n = 0; n < count && reader.hasMore; n += 1) {
    const end = reader.varInt() + reader.at;
    const attributes = reader.byte();
    const timestamp = String(firstTimestamp + reader.varLong());
    into.push({
      magicByte: context.magicByte,
      attributes,
      timestamp: context.timestampType === LOG_APPEND_TIME ? context.maxTimestamp : timestamp,
      offset: String(firstOffset + BigInt(reader.varInt())),
      key: reader.bytes(),
      value: reader.bytes(),
      headers: reader.headers(end),
      isControlRecord: context.isControlBatch,
      batchContext: context,
    });
    reader.at = end;
  }
}

function contextOf(batch: Buffer): BatchContext {
  const attributes = batch.readInt16BE(21);
  return {
    firstOffset: String(batch.readBigInt64BE(0)),
    firstTimestamp: String(batch.readBigInt64BE(27)),
    partitionLeaderEpoch: batch.readInt32BE(12),
    inTransaction: (attributes & 0x10) > 0,
    isControlBatch: (attributes & 0x20) > 0,
    lastOffsetDelta: batch.readInt32BE(23),
    producerId: String(batch.readBigInt64BE(43)),
    producerEpoch: batch.readInt16BE(51),
    firstSequence: batch.readInt32BE(53),
    maxTimestamp: String(batch.readBigInt64BE(35)),
    timestampType: (attributes & 0x08) > 0 ? LOG_APPEND_TIME : 0,
    magicByte: batch.readInt8(16),
  };
}

/** A position in the records of a batch. @throws {RangeError} at what is not a record: the broker lets none in */
class RecordReader {
  at = 0;
  readonly #buffer: Buffer;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  get hasMore(): boolean {
    return this.at < this.#buffer.length;
  }

  byte(): number {
    const value = this.#buffer.readInt8(this.at);
    this.at += 1;
    return value;
  }

  varInt(): number {
    return Number(BigInt.asIntN(32, this.varLong()));
  }

  varLong(): bigint {
    let [low, shift] = [0, 0];
    // Four bytes fit a number, which nearly all have; what is longer goes on as a bigint.
    for (; shift < 28; shift += 7) {
      const byte = this.#unsigned();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt((low >>> 1) ^ -(low & 1));
    }
    let long = BigInt(low);
    for (; shift < 70; shift += 7) {
      const byte = this.#unsigned();
      long |= BigInt(byte & 0x7f) << BigInt(shift);
      if (byte < 0x80) return BigInt.asIntN(64, (long >> 1n) ^ -(long & 1n));
    }
    throw new RangeError("a number is longer than ten bytes");
  }

  bytes(): Buffer | null {
    const length = this.varInt();
    if (length < 0) return null;
    const start = this.at;
    this.at += length;
    if (this.at > this.#buffer.length) throw new RangeError("a field is longer than its record");
    return this.#buffer.subarray(start, this.at);
  }

  /** A header that comes several times has its values in a list, as kafkajs has it. */
  headers(end: number): IHeaders {
    const found = new Map<string, Buffer | Buffer[]>();
    for (let left = this.varInt(); left > 0 && this.at < end; left -= 1) {
      const name = this.bytes()?.toString() ?? "null";
      // kafkajs' typings have no null, though a header may have no value.
      const value = this.bytes() as Buffer;
      const before = found.get(name);
      if (Array.isArray(before)) before.push(value);
      else found.set(name, before === undefined ? value : [before, value]);
    }
    return Object.fromEntries(found);
  }

  #unsigned(): number {
    const value = this.#buffer.readUInt8(this.at);
    this.at += 1;
    return value;
  }
}
