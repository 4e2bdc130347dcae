import type { Kafka } from "kafkajs";
import { clusterOf } from "../../../infra/topics/ensure-quotas.ts";
import {
  exchangeOf,
  newEncoder,
  type Encoder,
  type Exchange,
} from "../../../infra/local-stack/protocol-exchange.ts";
import { patiently } from "../../../services/platform/kafka/kafka-faults.ts";
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
  readonly connectionPool: { send<D>(exchange: Exchange<D>): Promise<D> };
}

/** Requests that no client of kafkajs makes, to the run's one broker. */
export interface RawBroker {
  /** A new producer's id, one more than that of the producer before. */
  newProducerId(): Promise<number>;
  /** Takes the id of the transactions, and fences who has had it. */
  beginTransactions(transactionalId: string): Promise<unknown>;
  produce(batch: ClaimedBatch): Promise<unknown>;
  /** The error code that a new member's first heartbeat is answered with; 0 where it is a member now. */
  join(protocol: GroupProtocol, group: string): Promise<number>;
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
    join: (protocol, group) => broker.connectionPool.send(heartbeat(protocol, group)),
    produce: ({ topic, partition, value, firstSequence, ...claim }) => {
      const messages = [{ key: "k", value }];
      const topicData = [{ topic, partitions: [{ partition, firstSequence, messages }] }];
      return broker.produce({ ...claim, topicData });
    },
  };
}

/** The protocols of groups besides the classic one. */
export const GROUP_PROTOCOLS = ["consumer", "share", "streams"] as const;
export type GroupProtocol = (typeof GROUP_PROTOCOLS)[number];

const NULL_STRUCTURE = -1;
const TOPIC = "carriers.requests";
const nothing = (encoder: Encoder): Encoder => encoder.writeUVarIntBytes();
const list = (...items: readonly string[]): readonly Encoder[] =>
  items.map((item) => newEncoder().writeUVarIntString(item));

/** The fields of a member that joins, after its group, its id and its epoch. */
const HEARTBEATS = {
  consumer: { key: 68, name: "ConsumerGroupHeartbeat", version: 1, rest: consumerFields },
  share: { key: 76, name: "ShareGroupHeartbeat", version: 1, rest: shareFields },
  streams: { key: 88, name: "StreamsGroupHeartbeat", version: 0, rest: streamsFields },
} as const;

function heartbeat(protocol: GroupProtocol, group: string): Exchange<number> {
  const { rest, ...api } = HEARTBEATS[protocol];
  const begun = nothing(newEncoder())
    .writeUVarIntString(group)
    .writeUVarIntString(crypto.randomUUID())
    .writeInt32(0);
  return exchangeOf(api, nothing(rest(begun)), (decoder) => {
    decoder.readTaggedFields();
    decoder.readInt32(); // throttle time
    return decoder.readInt16();
  });
}

function consumerFields(begun: Encoder): Encoder {
  const timed = nothing(nothing(begun)).writeInt32(TIMEOUT_MS);
  // No names of topics, an expression for them, no assignor, no partitions.
  return nothing(nothing(timed).writeUVarIntString("carriers\\..*")).writeUVarIntArray([]);
}

function shareFields(begun: Encoder): Encoder {
  return nothing(begun).writeUVarIntArray(list(TOPIC));
}

function streamsFields(begun: Encoder): Encoder {
  const timed = nothing(nothing(begun.writeInt32(0))).writeInt32(TIMEOUT_MS);
  const subtopology = newEncoder()
    .writeUVarIntString("0")
    .writeUVarIntArray(list(TOPIC))
    .writeUVarIntArray([])
    .writeUVarIntArray([])
    .writeUVarIntArray([])
    .writeUVarIntArray([])
    .writeUVarIntArray([])
    .writeUVarIntBytes();
  const topology = nothing(timed.writeInt8(1).writeInt32(1).writeUVarIntArray([subtopology]));
  const tasks = topology.writeUVarIntArray([]).writeUVarIntArray([]).writeUVarIntArray([]);
  const placed = tasks.writeUVarIntString("process").writeInt8(NULL_STRUCTURE);
  return nothing(nothing(placed.writeUVarIntArray([]))).writeBoolean(false);
}
