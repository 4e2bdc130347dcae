import type { Counter } from "prom-client";
import { fetchTopicSpans, type PartitionSpan } from "../../platform/kafka/topic-spans.ts";
import type { Logger } from "../../platform/logger.ts";
import type { KnownEnd, KnownEnds } from "../relay/store/known-ends.ts";
import { resetTopic, type TopicReset } from "./reset-topic.ts";

export interface TopicWatchOptions extends TopicReset {
  readonly knownEnds: KnownEnds;
  readonly log: Logger;
  readonly remade: Counter;
}

/**
 * Finds topics that end before an offset known to the database: recreated or truncated. Each is logged as
 * an error, and its messages above the reconciler's watermark are sent again
 * under the same message ids.
 */
export async function watchTopics(options: TopicWatchOptions): Promise<void> {
  const { kafka, knownEnds, log, remade } = options;
  // Reads the database first: a healthy topic can only have grown since.
  const known = await knownEnds.look();
  const topics = [...new Set(known.map(({ topic }) => topic))];
  if (topics.length === 0) return;
  for (const [topic, spans] of await fetchTopicSpans(kafka, topics)) {
    if (spans === null) {
      log.error({ topic }, "a topic that was in use is missing");
      continue;
    }
    const short = shortPartitions(known, topic, spans);
    const [first] = short;
    if (first === undefined) continue;
    // Resets the whole topic: old offsets are just as wrong on a partition already past its old end.
    const unsent = await resetTopic(options, topic);
    knownEnds.forget(topic);
    remade.inc();
    log.error(
      { topic, ...first, short_partitions: short.length, rows: unsent },
      "a topic was recreated or truncated; its messages that are not reconciled will be sent again",
    );
  }
}

interface ShortPartition {
  readonly partition: number;
  readonly known_end: number;
  readonly end: number;
}

/** The partitions of the topic that end before a known end, or are gone. */
export function shortPartitions(
  known: readonly KnownEnd[],
  topic: string,
  spans: readonly PartitionSpan[],
): ShortPartition[] {
  const ends = new Map(spans.map(({ partition, nextOffset }) => [partition, nextOffset]));
  return known
    .filter((one) => one.topic === topic)
    .map(({ partition, end }) => ({ partition, known_end: end, end: ends.get(partition) ?? 0 }))
    .filter(({ known_end, end }) => end < known_end);
}
