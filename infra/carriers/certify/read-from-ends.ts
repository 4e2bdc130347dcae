import type { Stream } from "../../../services/messages/bus/stream.ts";
import { startConsumer, type OnBatch } from "../../../services/platform/kafka/consumer.ts";
import { commitPositions } from "../../../services/platform/kafka/group-positions.ts";
import { fetchTopicEnds } from "../../../services/platform/kafka/topic-ends.ts";
import { notDone } from "./shortfalls.ts";
import { waitFor } from "./wait-for.ts";

const PATIENCE_MS = 30_000;

export interface Reading {
  /** A new group, used by this reader alone. */
  readonly group: string;
  /** By full topic name. */
  readonly handlers: ReadonlyMap<string, OnBatch>;
}

export interface EndReader {
  /** Resolves once everything that is now on the topics has been handled. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Reads topics from their present ends; resolves when it has joined. */
export async function readFromEnds(
  { kafka, sessionTimeoutMs, log }: Stream,
  { group, handlers }: Reading,
): Promise<EndReader> {
  const topics = [...handlers.keys()];
  const ends = await fetchTopicEnds(kafka, topics);
  const next = new Map(ends.map((end) => [`${end.topic}/${end.partition}`, end.nextOffset]));
  for (const topic of topics) {
    const own = ends.filter((end) => end.topic === topic);
    const offsets = new Map(own.map(({ partition, nextOffset }) => [partition, nextOffset]));
    if (offsets.size > 0) await commitPositions(kafka, { group, topic, offsets });
  }
  const counted =
    (handle: OnBatch): OnBatch =>
    async (batch, control) => {
      await handle(batch, control);
      const last = batch.at(-1);
      if (last !== undefined) next.set(`${last.topic}/${last.partition}`, last.offset + 1);
    };
  const consumer = await startConsumer({
    kafka,
    group,
    handlers: new Map([...handlers].map(([topic, handle]) => [topic, counted(handle)])),
    sessionTimeoutMs,
    concurrency: 3,
    maxWaitMs: 100,
    log,
  });
  const patience = {
    timeoutMs: PATIENCE_MS,
    what: () => notDone("Kafka to let the certification read the topics", "it does not"),
  };
  await waitFor(() => (consumer.isJoined() ? true : undefined), patience);
  return {
    catchUp: async () => {
      const now = await fetchTopicEnds(kafka, topics);
      const isBehind = ({ topic, partition, nextOffset }: (typeof now)[number]): boolean =>
        (next.get(`${topic}/${partition}`) ?? 0) < nextOffset;
      await waitFor(() => (now.some(isBehind) ? undefined : true), patience);
    },
    stop: () => consumer.stop(),
  };
}
