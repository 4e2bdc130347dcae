import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { z } from "zod";
import { cpuMsOf } from "../../../test/support/cpu-ms.ts";
import { decodeRecordBatches, mendRecordDecoder, type DecodedRecord } from "./record-decoder.ts";

interface Position {
  readonly offset: number;
}

interface FetchResponse {
  readonly decode: (answer: Buffer) => Promise<{
    readonly responses: readonly {
      readonly partitions: readonly { readonly messages: readonly DecodedRecord[] }[];
    }[];
  }>;
}

const load = createRequire(import.meta.url);
const functionOf = <T>() => z.custom<T>((value) => typeof value === "function");
const decoderClass = functionOf<new (bytes: Buffer) => Position>().parse(
  load("kafkajs/src/protocol/decoder.js"),
);
const decodeOneBatch = functionOf<
  (decoder: Position) => Promise<{ readonly records: readonly DecodedRecord[] }>
>().parse(load("kafkajs/src/protocol/recordBatch/v0/decoder.js"));

/** What kafkajs makes of whole batches. */
async function byKafkajs(set: Buffer): Promise<DecodedRecord[]> {
  const decoder = new decoderClass(set);
  const records: DecodedRecord[] = [];
  while (decoder.offset < set.length) records.push(...(await decodeOneBatch(decoder)).records);
  return records;
}

interface GivenRecord {
  readonly timestampDelta: bigint;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly (readonly [name: string, value: Uint8Array | null])[];
}

interface GivenBatch {
  readonly firstOffset: bigint;
  readonly firstTimestamp: bigint;
  readonly maxTimestamp: bigint;
  readonly producerId: bigint;
  readonly attributes: number;
  readonly isPacked: boolean;
  readonly records: readonly GivenRecord[];
}

function varInt(given: bigint | number): Buffer {
  let left = BigInt.asUintN(64, (BigInt(given) << 1n) ^ (BigInt(given) >> 63n));
  const bytes: number[] = [];
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(left)]);
}

function sized(bytes: Uint8Array | null): Buffer {
  return bytes === null ? varInt(-1) : Buffer.concat([varInt(bytes.length), bytes]);
}

function recordBytes({ timestampDelta, key, value, headers }: GivenRecord, n: number): Buffer {
  const body = Buffer.concat([
    Buffer.from([0]),
    varInt(timestampDelta),
    varInt(n),
    sized(key),
    sized(value),
    varInt(headers.length),
    ...headers.flatMap(([name, content]) => [sized(Buffer.from(name)), sized(content)]),
  ]);
  return Buffer.concat([varInt(body.length), body]);
}

function batchBytes(given: GivenBatch): Buffer {
  const plain = Buffer.concat(given.records.map(recordBytes));
  const records = given.isPacked ? gzipSync(plain) : plain;
  const head = Buffer.alloc(61);
  head.writeBigInt64BE(given.firstOffset, 0);
  head.writeInt32BE(49 + records.length, 8);
  head.writeInt32BE(3, 12);
  head.writeInt8(2, 16);
  head.writeInt16BE(given.attributes | Number(given.isPacked), 21);
  head.writeInt32BE(given.records.length - 1, 23);
  head.writeBigInt64BE(given.firstTimestamp, 27);
  head.writeBigInt64BE(given.maxTimestamp, 35);
  head.writeBigInt64BE(given.producerId, 43);
  head.writeInt16BE(1, 51);
  head.writeInt32BE(7, 53);
  head.writeInt32BE(given.records.length, 57);
  return Buffer.concat([head, records]);
}

const bytes = fc.option(fc.uint8Array({ maxLength: 20 }));
/** kafkajs takes a name such as `constructor` for one that was there before. */
const headerName = fc.string({ maxLength: 6 }).filter((name) => !(name in {}));

const batch = fc.record({
  firstOffset: fc.bigInt(0n, 2n ** 40n),
  firstTimestamp: fc.bigInt(-1n, 2n ** 45n),
  maxTimestamp: fc.bigInt(-1n, 2n ** 45n),
  producerId: fc.bigInt(-1n, 2n ** 62n),
  attributes: fc.constantFrom(0, 0x08, 0x10, 0x30),
  isPacked: fc.boolean(),
  records: fc.array(
    fc.record({
      timestampDelta: fc.bigInt(-(2n ** 45n), 2n ** 45n),
      key: bytes,
      value: bytes,
      headers: fc.array(fc.tuple(headerName, bytes), { maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

const ONE: GivenBatch = {
  firstOffset: 0n,
  firstTimestamp: 0n,
  maxTimestamp: 0n,
  producerId: -1n,
  attributes: 0,
  isPacked: false,
  records: [],
};
const PLAIN: GivenRecord = { timestampDelta: 0n, key: null, value: null, headers: [] };

describe("the records of a fetch", () => {
  it("are those that kafkajs decodes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 3 }), async (batches) => {
        const set = Buffer.concat(batches.map(batchBytes));
        expect(await decodeRecordBatches(set)).toEqual(await byKafkajs(set));
      }),
    );
  });

  it("end before a batch that was cut off", async () => {
    const one = batchBytes({ ...ONE, records: [PLAIN, PLAIN] });
    const records = await decodeRecordBatches(Buffer.concat([one, one.subarray(0, -1)]));
    expect(records.map(({ offset }) => offset)).toEqual(["0", "1"]);
  });

  it("have 20,000 headers at once, of one name or of many", async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => [`h${n}`, null] as const);
    const same = many.map(() => ["h", null] as const);
    const records = [many, same].map((headers) => ({ ...PLAIN, headers }));
    const set = batchBytes({ ...ONE, records });
    let decoded: readonly DecodedRecord[] = [];
    const cpuMs = await cpuMsOf(async () => {
      decoded = await decodeRecordBatches(set);
    });
    expect(cpuMs).toBeLessThan(2_000);
    const [first, second] = decoded;
    expect(Object.keys(first?.headers ?? {})).toHaveLength(20_000);
    expect(second?.headers["h"]).toHaveLength(20_000);
  });

  it("may be more than a function takes arguments", async () => {
    const records = Array.from({ length: 150_000 }, () => PLAIN);
    const set = batchBytes({ ...ONE, records });
    expect(await decodeRecordBatches(set)).toHaveLength(150_000);
  });

  it("have a header for every name, those of an object's own properties too", async () => {
    const headers = ["__proto__", "constructor"].map((name) => [name, Buffer.from("x")] as const);
    const [record] = await decodeRecordBatches(
      batchBytes({ ...ONE, records: [{ ...PLAIN, headers }] }),
    );
    expect(Object.entries(record?.headers ?? {})).toEqual(headers);
  });

  it.each([4, 11])("reach kafkajs by its answer to a fetch, version %s", async (version) => {
    const path = `kafkajs/src/protocol/requests/fetch/v${version}/response.js`;
    load(path); // as in a process that has fetched before
    mendRecordDecoder();
    mendRecordDecoder();
    const { decode } = load(path) as FetchResponse;
    const headers = Array.from({ length: 12_000 }, (_, n) => [`h${n}`, null] as const);
    const set = batchBytes({ ...ONE, records: [{ ...PLAIN, headers }] });
    const { responses } = await decode(answerWith(set, version));
    const [record] = responses[0]?.partitions[0]?.messages ?? [];
    expect(Object.keys(record?.headers ?? {})).toHaveLength(12_000);
  });
});

/** The answer to a fetch of one partition of one topic. */
function answerWith(set: Buffer, version: number): Buffer {
  const int32 = (value: number): Buffer => {
    const four = Buffer.alloc(4);
    four.writeInt32BE(value);
    return four;
  };
  const isNew = version >= 7;
  return Buffer.concat([
    int32(0), // throttle time
    isNew ? Buffer.alloc(2 + 4) : Buffer.alloc(0), // error, session
    int32(1),
    Buffer.from([0, 1]),
    Buffer.from("t"),
    int32(1),
    Buffer.alloc(4 + 2 + 8 + 8), // partition, error, high watermark, last stable offset
    isNew ? Buffer.alloc(8) : Buffer.alloc(0), // log start
    int32(-1), // aborted transactions
    isNew ? int32(-1) : Buffer.alloc(0), // preferred replica
    int32(set.length),
    set,
  ]);
}
