import type { Kafka } from "kafkajs";
import { findEvent } from "../../domain/event/store/list-events.ts";
import { readFeed, type FeedEvent } from "../../domain/event/store/feed.ts";
import { toStorable } from "../../domain/event/rules/storable-event.ts";
import type { Codec } from "../../messages/codec.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { readTopic } from "../../platform/kafka/read-topic.ts";
import { fetchTopicOffsets } from "../../platform/kafka/topic-offsets.ts";
import type { Sources } from "./verify-export.ts";

const PAGE_SIZE = 1_000;

/** An account's current feed, page by page. */
export async function* feedPages(
  db: Queryable,
  accountId: string,
): AsyncGenerator<readonly FeedEvent[], void> {
  for (let after = 0; ;) {
    const page = await readFeed(db, { accountId, after, limit: PAGE_SIZE });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?.seq ?? after;
  }
}

export interface SourceOptions {
  readonly db: Queryable;
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly topicPrefix: string;
  readonly accountId: string;
}

/** The log and the topic in the form that `verifyExport` compares. */
export async function eventSources(options: SourceOptions): Promise<Sources> {
  const { db, kafka, codec, accountId } = options;
  const topic = `${options.topicPrefix}porting.events`;
  return {
    log: feedPages(db, accountId),
    readTopic: (onEvent) =>
      readTopic({
        kafka,
        topic,
        onBatch: async (batch) => {
          for (const { value } of batch) {
            const event = await codec.decode("porting.events", value);
            if (event.account_id !== accountId) continue;
            const { id, body } = toStorable(event);
            onEvent({ id, body });
          }
        },
      }),
    isLogged: async (id) => (await findEvent(db, accountId, id)) !== null,
    topicIsWhole: await holdsFirstRecords(kafka, topic),
  };
}

async function holdsFirstRecords(kafka: Kafka, topic: string): Promise<boolean> {
  const partitions = await fetchTopicOffsets(kafka, topic);
  return partitions.every(({ low }) => low === "0");
}
