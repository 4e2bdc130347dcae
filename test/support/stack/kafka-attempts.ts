import kafkajs, { type Kafka } from "kafkajs";
import { patiently } from "../../../services/platform/kafka/kafka-faults.ts";

/** kafkajs reports a group that may not be seen as one without a coordinator. */
const HIDDEN_GROUP = "KafkaJSGroupCoordinatorNotFound";
const REFUSALS = ["TOPIC_AUTHORIZATION_FAILED", "GROUP_AUTHORIZATION_FAILED"];

/** Whether the broker refused for want of a right, rather than for any other reason. */
function isRefusal(error: unknown): boolean {
  if (error instanceof kafkajs.KafkaJSProtocolError) return REFUSALS.includes(error.type);
  if (!(error instanceof Error)) return false;
  return error.name === HIDDEN_GROUP || isRefusal(error.cause);
}

function refusedOr(error: unknown): false {
  if (!isRefusal(error)) throw error;
  return false;
}

/** Whether the client's user may write a topic; writes a message without meaning where it may. */
export async function mayWrite(kafka: Kafka, topic: string): Promise<boolean> {
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  try {
    await producer.connect();
    await producer.send({ topic, messages: [{ key: "attack", value: "attack" }] });
    return true;
  } catch (error) {
    return refusedOr(error);
  } finally {
    await producer.disconnect();
  }
}

interface Reading {
  readonly topic: string;
  readonly group: string;
}

/** A group's coordinator may still be loading it. */
const COORDINATOR_MS = 30_000;

/** Whether the client's user may join the group and fetch from the topic. */
export async function mayRead(kafka: Kafka, reading: Reading): Promise<boolean> {
  return patiently(() => mayReadNow(kafka, reading), COORDINATOR_MS);
}

async function mayReadNow(kafka: Kafka, { topic, group }: Reading): Promise<boolean> {
  const retry = { restartOnFailure: () => Promise.resolve(false) };
  const consumer = kafka.consumer({ groupId: group, maxWaitTimeInMs: 50, retry });
  try {
    await consumer.connect();
    const ended = new Promise<boolean>((resolve, reject) => {
      consumer.on(consumer.events.FETCH, () => resolve(true));
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    });
    ended.catch(() => undefined);
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({ eachMessage: () => Promise.resolve() });
    return await ended;
  } catch (error) {
    return refusedOr(error);
  } finally {
    await consumer.disconnect();
  }
}
