import { setTimeout as pause } from "node:timers/promises";
import { createKafka } from "../../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../../services/platform/logger.ts";
import { adminAccess } from "../../../support/stack/kafka-access.ts";
import type { Scenario } from "../scenario.ts";

const TOPICS = [
  "porting.review-requests",
  "porting.review-results",
  "porting.carrier-requests",
  "porting.carrier-results",
  "porting.webhook-attempts",
  "carriers.updates",
  "carriers.calls",
];
const TIMES = 10;
const EVERY_MS = 1_000;
const UNKNOWN_ID = 2_000_000_000;

function unknownSchema(): Buffer {
  const value = Buffer.alloc(16);
  value.writeUInt32BE(UNKNOWN_ID, 1);
  return value;
}

export const poisonRecords: Scenario = {
  name: "poison-records",
  what: "every second for 10 s garbage and a null value on each of seven topics, on those of carriers an unknown schema id too; then all are read again",
  faults: ["F16", "F17"],
  promises: ["P1", "P2"],
  seconds: 55,
  isQuick: true,
  isReplayed: true,
  run: async ({ direct, product, record }) => {
    const producer = createKafka({
      ...adminAccess(direct.kafkaBrokers),
      clientId: "poison",
      log: createLogger("poison", "silent"),
    }).producer();
    await producer.connect();
    try {
      for (let n = 0; n < TIMES; n += 1) {
        for (const name of TOPICS) {
          const topic = product.topicPrefix + name;
          // On a topic of ours it would hold the partition.
          const unknown = name.startsWith("carriers.") ? [unknownSchema()] : [];
          const values = [Buffer.from("garbage"), null, ...unknown];
          const messages = values.map((value) => ({ key: "poison", value, partition: 0 }));
          const [sent] = await producer.send({ topic, messages });
          const base = Number(sent?.baseOffset);
          for (const at of values.keys()) record.poisoned.add(`${topic} 0/${base + at}`);
        }
        await pause(EVERY_MS);
      }
    } finally {
      await producer.disconnect();
    }
    return [];
  },
};
