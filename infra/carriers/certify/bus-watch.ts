import { randomUUID } from "node:crypto";
import type { Admin } from "kafkajs";
import { providerGroup } from "../../../services/messages/bus/topic-rights.ts";
import type { Stream } from "../../../services/messages/bus/stream.ts";
import type { CarrierReceipt } from "../../../services/messages/generated/carrier-receipt.ts";
import type { CarrierRequest } from "../../../services/messages/generated/carrier-request.ts";
import type { CarrierUpdate } from "../../../services/messages/generated/carrier-update.ts";
import type { MessageOf, StaticTopicName } from "../../../services/messages/topics.ts";
import { eachMessage } from "../../../services/platform/kafka/each-message.ts";
import type { OnBatch } from "../../../services/platform/kafka/consumer.ts";
import type { RawMessage } from "../../../services/platform/kafka/raw-message.ts";
import { groupsNamed, type ProviderGroups } from "./provider-groups.ts";
import { readFromEnds } from "./read-from-ends.ts";

export interface SeenRequest {
  readonly request: CarrierRequest;
  readonly raw: RawMessage;
}

/** What passes between the platform and one provider, from now on. */
export interface BusWatch {
  readonly requests: readonly SeenRequest[];
  readonly updates: readonly CarrierUpdate[];
  readonly receipts: readonly CarrierReceipt[];
  readonly groups: ProviderGroups;
  /** Resolves once everything that is now on the topics has been seen. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Reads requests, updates and receipts of the provider from the topics' present ends. */
export async function watchBus(stream: Stream, provider: string): Promise<BusWatch> {
  const { kafka, topicPrefix } = stream;
  const requests: SeenRequest[] = [];
  const updates: CarrierUpdate[] = [];
  const receipts: CarrierReceipt[] = [];
  const admin = kafka.admin();
  await admin.connect();
  const group = `${topicPrefix}certify-${randomUUID()}`;
  const handlers = new Map([
    of(stream, "carriers.requests", (request, raw) => {
      if (request.provider === provider) requests.push({ request, raw });
    }),
    of(stream, "carriers.updates", (update) => {
      if (update.provider === provider) updates.push(update);
    }),
    of(stream, "carriers.receipts", (receipt) => {
      if (receipt.provider === provider) receipts.push(receipt);
    }),
  ]);
  const reader = await readFromEnds(stream, { group, handlers });
  return {
    requests,
    updates,
    receipts,
    groups: groupsNamed(admin, topicPrefix + providerGroup(provider)),
    catchUp: () => reader.catchUp(),
    stop: async () => {
      await reader.stop();
      await forget(admin, group);
      await admin.disconnect();
    },
  };
}

/** The handler of a topic, under its full name. */
function of<T extends StaticTopicName>(
  { codec, topicPrefix, log }: Stream,
  topic: T,
  handle: (message: MessageOf<T>, raw: RawMessage) => void,
): [string, OnBatch] {
  const decode = (raw: RawMessage) => codec.decode(topic, raw.value);
  return [topicPrefix + topic, eachMessage({ decode, handle, log })];
}

/** A group that stays is of no harm: Kafka forgets it, and its name is used once. */
async function forget(admin: Admin, group: string): Promise<void> {
  await admin.deleteGroups([group]).catch(() => undefined);
}
