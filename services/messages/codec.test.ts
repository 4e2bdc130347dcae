import { describe, expect, it } from "@jest/globals";
import { createAvroRecord } from "../platform/avro/avro-record.ts";
import type { AvroRecordSchema } from "../platform/avro/schema.ts";
import { createCodecWithIds } from "./codec.ts";
import { REVIEW_REQUEST_SCHEMA } from "./generated/review-request.ts";
import type { TopicName } from "./topics.ts";

const ids = new Map<TopicName, number>([
  ["porting.review-requests", 7],
  ["porting.webhook-retry.1m", 8],
]);
const codec = createCodecWithIds(ids);

const openCase = { kind: "open_case", order_id: "o", account_id: "a", attempt: 1 } as const;
const whole = { ...openCase, slug: null, document_id: null };

const GROWN: AvroRecordSchema = {
  ...REVIEW_REQUEST_SCHEMA,
  fields: [
    ...REVIEW_REQUEST_SCHEMA.fields,
    { name: "urgent", type: ["null", "boolean"], default: null },
  ],
};

function grownValue(id: number): Buffer {
  return createAvroRecord(GROWN).write({ ...whole, urgent: true }, id);
}

describe("a codec", () => {
  it("decodes values with its own schema ids synchronously", () => {
    const value = codec.encode("porting.review-requests", openCase);
    expect(codec.decode("porting.review-requests", value)).toEqual(whole);
  });

  it("encodes for a delay topic", () => {
    const timer = { delivery_id: "d", attempt: 2, due_at: 1_700_000_000_000 };
    const value = codec.encode("porting.webhook-retry.1m", timer);
    expect(codec.decode("porting.webhook-retry.1m", value)).toEqual(timer);
  });

  it("does not encode for a topic without a schema id", () => {
    expect(() =>
      codec.encode("porting.webhook-attempts", { endpoint_key: "e", delivery_ids: [] }),
    ).toThrow("no schema id for topic porting.webhook-attempts");
  });

  it("refuses a null value and garbage", () => {
    expect(() => codec.decode("porting.review-requests", null)).toThrow(
      expect.objectContaining({ code: "null_value" }),
    );
    expect(() => codec.decode("porting.review-requests", Buffer.from("garbage"))).toThrow(
      expect.objectContaining({ code: "undecodable" }),
    );
  });

  it("fetches another writer's schema once, then decodes synchronously", async () => {
    const fetched: number[] = [];
    const reading = createCodecWithIds(ids, (id) => {
      fetched.push(id);
      return Promise.resolve(GROWN);
    });
    await expect(reading.decode("porting.review-requests", grownValue(9))).resolves.toEqual(whole);
    expect(reading.decode("porting.review-requests", grownValue(9))).toEqual(whole);
    expect(fetched).toEqual([9]);
  });

  it("fetches again after a failure", async () => {
    let isAway = true;
    const reading = createCodecWithIds(ids, () =>
      isAway ? Promise.reject(new Error("away")) : Promise.resolve(GROWN),
    );
    await expect(reading.decode("porting.review-requests", grownValue(9))).rejects.toThrow("away");
    isAway = false;
    await expect(reading.decode("porting.review-requests", grownValue(9))).resolves.toEqual(whole);
  });

  it("rejects an unknown schema id: for good from a carrier, else until it is known", async () => {
    const code = "unknown_schema";
    const ofOurs = codec.decode("porting.review-requests", grownValue(9));
    await expect(ofOurs).rejects.toMatchObject({ code, retryable: true });
    const toCarriers = codec.decode("carriers.requests", grownValue(9));
    await expect(toCarriers).rejects.toMatchObject({ code, retryable: true });
    const ofCarriers = codec.decode("carriers.updates", grownValue(9));
    await expect(ofCarriers).rejects.toMatchObject({ code, retryable: false });
  });

  it("keeps a bounded number of other writers' schemas, the latest, and always its own", async () => {
    const fetched: number[] = [];
    const reading = createCodecWithIds(ids, (id) => {
      fetched.push(id);
      return Promise.resolve(GROWN);
    });
    for (let id = 100; id < 200; id += 1) {
      await reading.decode("porting.review-requests", grownValue(id));
    }
    fetched.length = 0;
    expect(reading.decode("porting.review-requests", grownValue(199))).toEqual(whole);
    await reading.decode("porting.review-requests", grownValue(100));
    expect(fetched).toEqual([100]);
    const own = codec.encode("porting.review-requests", openCase);
    expect(reading.decode("porting.review-requests", own)).toEqual(whole);
  });
});
