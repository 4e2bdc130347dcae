import { queryRows, type Queryable } from "../db/transaction.ts";

/** A partition as a consumer reads it; `topic` is the full name, including the prefix. */
export interface ReadPartition {
  readonly consumer: string;
  readonly topic: string;
  readonly partition: number;
}

/**
 * What is noted of a partition from its assignment until its first batch was handled: a row that a reader finds is of one
 * that did not get so far.
 */
export interface ReadAttempts {
  /** Notes a reader; resolves with how many have begun and not ended, this one among them. */
  begin(read: ReadPartition): Promise<number>;
  /** Notes that a record is handled alone; resolves with how often it was in succession, this time included. */
  attempt(read: ReadPartition, offset: number): Promise<number>;
  /** The record does not count: it waits, or it was handled. */
  forgive(read: ReadPartition): Promise<void>;
  /** Notes for the desk what a record waits for that only an operator can bring. */
  waitFor(read: ReadPartition, offset: number, what: string): Promise<void>;
  end(read: ReadPartition): Promise<void>;
}

const PARTITION = "consumer = $1 and topic = $2 and kafka_partition = $3";

const BEGIN = `insert into messaging.read_attempts as r (consumer, topic, kafka_partition) values ($1, $2, $3)
  on conflict (consumer, topic, kafka_partition) do update set readers = r.readers + 1
  returning readers`;

const ATTEMPT = `insert into messaging.read_attempts as r (consumer, topic, kafka_partition, kafka_offset, attempts)
  values ($1, $2, $3, $4, 1)
  on conflict (consumer, topic, kafka_partition) do update set kafka_offset = excluded.kafka_offset,
    attempts = case when r.kafka_offset = excluded.kafka_offset then r.attempts + 1 else 1 end
  returning attempts`;

const FORGIVE = `update messaging.read_attempts set attempts = 0 where ${PARTITION}`;

const WAIT_FOR = `insert into messaging.read_attempts (consumer, topic, kafka_partition, kafka_offset, waits_for)
  values ($1, $2, $3, $4, $5)
  on conflict (consumer, topic, kafka_partition) do update
    set kafka_offset = excluded.kafka_offset, waits_for = excluded.waits_for, attempts = 0`;

const END = `delete from messaging.read_attempts where ${PARTITION}`;

export function createReadAttempts(db: Queryable): ReadAttempts {
  const valuesOf = ({ consumer, topic, partition }: ReadPartition) => [consumer, topic, partition];
  return {
    begin: async (read) => {
      const [row] = await queryRows<{ readers: number }>(db, {
        name: "read-attempts-begin",
        text: BEGIN,
        values: valuesOf(read),
      });
      return row?.readers ?? 1;
    },
    attempt: async (read, offset) => {
      const values = [...valuesOf(read), offset];
      const [row] = await queryRows<{ attempts: number }>(db, { text: ATTEMPT, values });
      return row?.attempts ?? 1;
    },
    forgive: async (read) => {
      await queryRows(db, { text: FORGIVE, values: valuesOf(read) });
    },
    waitFor: async (read, offset, what) => {
      await queryRows(db, { text: WAIT_FOR, values: [...valuesOf(read), offset, what] });
    },
    end: async (read) => {
      await queryRows(db, { name: "read-attempts-end", text: END, values: valuesOf(read) });
    },
  };
}

/** A partition that its consumer does not get on with. */
export interface StuckPartition extends ReadPartition {
  readonly offset: number | null;
  /** How many readers have ended at it. */
  readonly readers: number;
  readonly waits_for: string | null;
  readonly since: Date;
}

// The first reader of a partition may take a while for its first batch.
const STUCK = `select consumer, topic, kafka_partition as partition, kafka_offset as offset, readers, waits_for, since
  from messaging.read_attempts
  where starts_with(topic, $1) and (readers > 1 or waits_for is not null)
  order by since, consumer, topic, kafka_partition limit 100`;

/** Those on the topics with the prefix, the longest first. */
export function listStuckPartitions(db: Queryable, topicPrefix: string): Promise<StuckPartition[]> {
  return queryRows<StuckPartition>(db, { text: STUCK, values: [topicPrefix] });
}
