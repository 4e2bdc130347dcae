/** @tier all */
import { expect, it } from "@jest/globals";
import { ensureRights } from "../../../infra/topics/ensure-rights.ts";
import { readKafkaSecurity } from "../../../services/platform/kafka/client-security.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { adminAccess, TEST_PROVIDERS, variablesOf } from "../../support/stack/kafka-access.ts";
import { connectAdmin, testKafka } from "../../support/stack/test-kafka.ts";
import { testStack, uniqueTopicPrefix } from "../../support/stack/test-stack.ts";
import { ONE_TIER } from "../../support/stack/test-topics.ts";

/** The broker makes the files of so many partitions before it obeys what was granted after them. */
const TOPICS = 30;
const PARTITIONS = 12;

it("has its rights in force when they are granted, also behind many new topics", async () => {
  const prefix = uniqueTopicPrefix();
  const admin = await connectAdmin();
  const others = Array.from({ length: TOPICS - 1 }, (_, n) => `${prefix}other-${n}`);
  const topics = [`${prefix}porting.events`, ...others];
  endAfterTests(() => admin.deleteTopics({ topics }));
  await admin.createTopics({
    topics: topics.map((topic) => ({ topic, numPartitions: PARTITIONS })),
    waitForLeaders: false,
  });
  const place = adminAccess(testStack().kafka_brokers);
  await ensureRights({ ...place, prefix, retrySchedule: ONE_TIER, providers: TEST_PROVIDERS });
  const security = readKafkaSecurity(variablesOf("event-log"));
  const reader = await connectAdmin(testKafka({ security, retry: { retries: 0 } }));
  const found = await reader.fetchTopicMetadata({ topics: [`${prefix}porting.events`] });
  expect(found.topics[0]?.partitions).toHaveLength(PARTITIONS);
});
