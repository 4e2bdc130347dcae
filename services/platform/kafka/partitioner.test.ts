import { createRequire } from "node:module";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { z } from "zod";
import { cpuMsOf } from "../../../test/support/cpu-ms.ts";
import { createPartitioner, murmur2, partitionOf } from "./partitioner.ts";
import { MURMUR2_VECTORS } from "./partitioner-vectors.ts";

const hashFunction = z.custom<(key: Buffer) => number>((value) => typeof value === "function");
const path = "kafkajs/src/producer/partitioners/default/murmur2.js";
const ofKafkajs = hashFunction.parse(createRequire(import.meta.url)(path));

const PARTITIONS = [0, 1, 2, 3, 4, 5].map((partitionId) => ({
  partitionId,
  leader: 1,
  partitionErrorCode: 0,
  replicas: [],
  isr: [],
}));

describe("the hash of a key", () => {
  it.each(MURMUR2_VECTORS)("of %j is that of Java's client", (hex, hash) => {
    expect(murmur2(Buffer.from(hex, "hex"))).toBe(hash);
  });

  it("is that of kafkajs", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(murmur2(Buffer.from(bytes))).toBe(ofKafkajs(Buffer.from(bytes)));
      }),
    );
  });

  it("takes no time for a key of any length", async () => {
    const key = Buffer.from(Uint8Array.from({ length: 400_000 }, (_, n) => n));
    const cpuMs = await cpuMsOf(() => expect(murmur2(key)).toBe(-37_164_002));
    expect(cpuMs).toBeLessThan(500);
  });
});

describe("the partition of a message", () => {
  const choose = createPartitioner();
  const choice = { topic: "things", partitionMetadata: PARTITIONS };

  it("is chosen by its key, bytes or text", () => {
    const key = "018f6d2a-3c4b-7d5e-8f60-718293a4b5c6";
    const chosen = partitionOf(Buffer.from(key), 6);
    expect(choose({ ...choice, message: { key, value: null } })).toBe(chosen);
    expect(choose({ ...choice, message: { key: Buffer.from(key), value: null } })).toBe(chosen);
  });

  it("takes turns without a key, and is the one that is given", () => {
    const turns = PARTITIONS.map(() => choose({ ...choice, message: { key: null, value: null } }));
    expect(turns.sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(choose({ ...choice, message: { key: "a", value: null, partition: 4 } })).toBe(4);
  });
});
