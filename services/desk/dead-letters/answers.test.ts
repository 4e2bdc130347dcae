import { expect, it } from "@jest/globals";
import type { Bus } from "../../messages/bus/bus.ts";
import { present } from "./answers.ts";
import type { DeadLetter } from "./store.ts";

const LETTER: DeadLetter = {
  id: "018f6d2a-3c4b-7d5e-8f60-718293a4b5c6",
  consumer: "carrier-adapter",
  topic: "carriers.updates",
  kafka_partition: 0,
  kafka_offset: 7,
  key: null,
  value: null,
  headers: {},
  message_id: null,
  sealed_key_id: null,
  porting_order_id: null,
  error_code: "undecodable",
  error_detail: "The value is empty.",
  state: "parked",
  created_at: new Date("2026-11-02T09:00:00.000Z"),
};

it("a dead letter of a release that stored keys of any length shows the first 255 bytes", async () => {
  const bus = { topicPrefix: "" } as Bus;
  const keyOf = async (key: Buffer | null) => (await present(bus, { ...LETTER, key })).key;
  expect(await keyOf(Buffer.alloc(1_700_000, "k"))).toBe("k".repeat(255));
  expect(await keyOf(Buffer.from("order"))).toBe("order");
  expect(await keyOf(null)).toBeNull();
});
