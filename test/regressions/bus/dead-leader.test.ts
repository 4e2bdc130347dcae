import { beforeAll, expect, it } from "@jest/globals";
import { AssignerProtocol, type Consumer, type Kafka, type PartitionAssigner } from "kafkajs";
import { startConsumer, type RunningConsumer } from "../../../services/platform/kafka/consumer.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { testKafka } from "../../support/stack/test-kafka.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const SESSION_TIMEOUT_MS = 6_000;
const log = createLogger("test", "silent");

let kafka: Kafka;
let topic: string;
let group: string;
let leader: Consumer;
let next: RunningConsumer | null = null;
let isSilent = true;
let speakAgain = (): void => undefined;

beforeAll(async () => {
  kafka = testKafka({ sessionTimeoutMs: SESSION_TIMEOUT_MS });
  topic = `${await createTestTopics()}porting.events`;
  group = `${topic}-group`;
});

/** Leads the group through its first rebalance; in the next it stops answering, as if killed between join and sync. */
async function leadOnce(): Promise<void> {
  let rebalances = 0;
  const lead: PartitionAssigner = () => ({
    name: "RoundRobinAssigner",
    version: 0,
    protocol: ({ topics }) => ({
      name: "RoundRobinAssigner",
      metadata: AssignerProtocol.MemberMetadata.encode({
        version: 0,
        topics,
        userData: Buffer.alloc(0),
      }),
    }),
    assign: ({ members }) => {
      rebalances += 1;
      const own = AssignerProtocol.MemberAssignment.encode({
        version: 0,
        assignment: { [topic]: [0] },
        userData: Buffer.alloc(0),
      });
      const assigned = members.map(({ memberId }) => ({ memberId, memberAssignment: own }));
      if (rebalances === 1 || !isSilent) return Promise.resolve(assigned);
      return new Promise((resolve) => {
        speakAgain = () => {
          resolve(assigned);
        };
      });
    },
  });
  leader = kafka.consumer({
    groupId: group,
    sessionTimeout: SESSION_TIMEOUT_MS,
    rebalanceTimeout: SESSION_TIMEOUT_MS * 2,
    heartbeatInterval: 500,
    partitionAssigners: [lead],
  });
  endAfterTests(async () => {
    isSilent = false;
    speakAgain();
    await leader.disconnect();
  });
  await leader.connect();
  await leader.subscribe({ topics: [topic] });
  const joined = new Promise((resolve) => leader.on(leader.events.GROUP_JOIN, resolve));
  await leader.run({ eachMessage: () => Promise.resolve() });
  await joined;
}

it("a leader that dies between join and sync holds up the next member for one session, without a crash", async () => {
  await leadOnce();
  const crashes: Error[] = [];
  const warned: unknown[] = [];
  const watched = Object.assign(Object.create(log) as typeof log, {
    warn: (...fields: unknown[]) => warned.push(fields),
  });
  next = await startConsumer({
    kafka,
    group,
    handlers: new Map([[topic, () => Promise.resolve()]]),
    sessionTimeoutMs: SESSION_TIMEOUT_MS,
    concurrency: 1,
    log: watched,
    onLag: () => undefined,
    onCrash: (error) => crashes.push(error),
  });
  const member = next;
  endAfterTests(() => member.stop());
  await until(() => member.isJoined(), { timeoutMs: 40_000, what: "the next member to join" });
  expect(crashes).toEqual([]);
  expect(warned).toEqual([]);
});
