import type { Kafka } from "kafkajs";
import { clusterOf } from "../../../services/platform/kafka/client-quotas.ts";
import { patiently } from "../../../services/platform/kafka/passing-fault.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

/** What a batch says of itself: the broker believes it. */
export interface ClaimedProducer {
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly firstSequence: number;
}

export interface ClaimedBatch extends ClaimedProducer {
  readonly topic: string;
  readonly partition: number;
  readonly value: string;
}

interface Broker {
  initProducerId(request: {
    readonly transactionalId?: string;
    readonly transactionTimeout: number;
  }): Promise<{ readonly producerId: string }>;
  produce(request: object): Promise<unknown>;
}

/** Requests that no client of kafkajs makes, to the run's one broker. */
export interface RawBroker {
  /** A new producer's id, one more than that of the producer before. */
  newProducerId(): Promise<number>;
  /** Takes the id of the transactions, and fences who has had it. */
  beginTransactions(transactionalId: string): Promise<unknown>;
  produce(batch: ClaimedBatch): Promise<unknown>;
}

const TIMEOUT_MS = 10_000;

export async function openRawBroker(kafka: Kafka): Promise<RawBroker> {
  const cluster = clusterOf(kafka);
  endAfterTests(() => cluster.disconnect());
  await cluster.connect();
  await cluster.refreshMetadata();
  const broker = (await cluster.findControllerBroker()) as unknown as Broker;
  return {
    newProducerId: async () => {
      const ask = () => broker.initProducerId({ transactionTimeout: TIMEOUT_MS });
      // The broker may be fetching its next block of ids.
      return Number((await patiently(ask, TIMEOUT_MS)).producerId);
    },
    beginTransactions: (transactionalId) =>
      broker.initProducerId({ transactionalId, transactionTimeout: TIMEOUT_MS }),
    produce: ({ topic, partition, value, firstSequence, ...claim }) => {
      const messages = [{ key: "k", value }];
      const topicData = [{ topic, partitions: [{ partition, firstSequence, messages }] }];
      return broker.produce({ ...claim, topicData });
    },
  };
}
