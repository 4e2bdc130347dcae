import { queryRows, type Queryable } from "../db/transaction.ts";
import type { Logger } from "../logger.ts";
import type { OnBatch } from "./consumer.ts";
import { BatchInterrupted, type BatchControl } from "./handle-batch.ts";
import { classifyError } from "./kafka-faults.ts";
import type { RawMessage } from "./raw-message.ts";

/** With the batch that it was in, a record has then ended three readers. */
const MOST_ATTEMPTS = 2;
/** A record that takes longer may cost its reader the membership, and so come again. */
const LONG_MS = 2_000;
const TURN_MS = 20;
const RETRY_MS = 500;

interface FirstBatchesOptions {
  readonly consumer: string;
  readonly attempts: ReadAttempts;
  readonly turns: Turns;
  readonly handle: OnBatch;
  /** Dead-letters a record that ends its readers, without reading it. */
  readonly giveUp: (raw: RawMessage, control: BatchControl) => Promise<void>;
  readonly log: Logger;
}

export interface FirstBatches {
  readonly onBatch: OnBatch;
  /** To be called after each assignment: another reader may have ended at a partition meanwhile. */
  forget(): void;
}

/** Of a process: what ends it is then what has the turn. */
export class Turns {
  #isTaken = false;

  take(): boolean {
    if (this.#isTaken) return false;
    this.#isTaken = true;
    return true;
  }

  give(): void {
    this.#isTaken = false;
  }
}

/**
 * Gets past a record that kills or hangs whoever reads it, whatever the reason. The first batch of a partition is noted
 * before and forgotten after it was handled, which is all that this costs; later ones cost nothing. A reader that finds
 * such a note handles the records of its first batch one by one, each noted before, and no two in a process at once. A
 * record that was noted twice already, besides its batch, is given up.
 */
export function guardFirstBatches(options: FirstBatchesOptions): FirstBatches {
  const { consumer, attempts, handle, log } = options;
  const handled = new Set<string>();
  const onBatch: OnBatch = async (batch, control) => {
    const [first] = batch;
    if (first === undefined) return;
    const { topic, partition } = first;
    const name = `${topic}/${partition}`;
    if (handled.has(name)) return handle(batch, control);
    const place = { consumer, topic, partition };
    const readers = await persist({ control, log }, () => attempts.begin(place));
    if (readers === 1) {
      await handle(batch, control);
    } else {
      log.warn({ ...place, offset: first.offset, readers }, "earlier readers ended at a partition");
      const alone = new AloneReader(options, place);
      for (const raw of batch) {
        await alone.read(raw, control);
        // Otherwise a later one that ends this reader would bring it back, and its count would begin again.
        await control.commit(raw.offset + 1);
      }
    }
    await persist({ control, log }, () => attempts.end(place));
    handled.add(name);
  };
  return { onBatch, forget: () => handled.clear() };
}

/** Handles records one by one, and counts how often each was begun with. */
class AloneReader {
  readonly #options: FirstBatchesOptions;
  readonly #place: ReadPartition;

  constructor(options: FirstBatchesOptions, place: ReadPartition) {
    this.#options = options;
    this.#place = place;
  }

  async read(raw: RawMessage, control: BatchControl): Promise<void> {
    const { attempts, turns, handle, giveUp, log } = this.#options;
    while (!turns.take()) {
      if (!(await control.wait(TURN_MS))) throw new BatchInterrupted();
    }
    const begun = performance.now();
    const turn = { counts: true };
    const forgive = async (): Promise<void> => {
      if (!turn.counts) return;
      turn.counts = false;
      turns.give();
      await attempts.forgive(this.#place).catch((err: unknown) => {
        log.warn({ err }, "an attempt could not be taken back");
      });
    };
    try {
      const note = () => attempts.attempt(this.#place, raw.offset);
      if ((await persist({ control, log }, note)) > MOST_ATTEMPTS) {
        await giveUp(raw, control);
        return;
      }
      // Whoever waits has neither died nor hung.
      const waiting: BatchControl = {
        ...control,
        wait: async (ms) => {
          await forgive();
          return control.wait(ms);
        },
      };
      await handle([raw], waiting);
    } finally {
      // Also where it was interrupted: by a stop, or because the partition is another member's now.
      if (performance.now() - begun < LONG_MS) await forgive();
      if (turn.counts) turns.give();
    }
  }
}

/** Retries while the database is away. */
async function persist<T>(
  { control, log }: { readonly control: BatchControl; readonly log: Logger },
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (err) {
      if (classifyError(err) !== "transient") throw err;
      log.warn({ err }, "a partition waits for the database");
      if (!(await control.wait(RETRY_MS))) throw new BatchInterrupted();
    }
  }
}

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
