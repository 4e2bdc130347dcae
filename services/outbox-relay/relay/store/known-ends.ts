import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** How far a partition had grown, as far as the database knows. */
export interface KnownEnd {
  /** The topic's full name, with its prefix. */
  readonly topic: string;
  readonly partition: number;
  /** The partition has held every offset below this. */
  readonly end: number;
}

/** Recent rows read per look, however many wait for a consumer. */
const RECENT_ROWS = 5_000;
const PAGE_ROWS = 20_000;

const RECENT = `select topic, kafka_partition as partition, max(known_end) as end
  from (
    select topic, kafka_partition, next_offset as known_end from messaging.consumer_positions
    union all
    select topic, kafka_partition, kafka_offset + 1 from (
      select topic, kafka_partition, kafka_offset from messaging.outbox_progress
      where id >= (select low_id from messaging.reconciliation)
        and id <= (select handled_id from messaging.relay_state)
      order by id desc limit ${RECENT_ROWS}
    ) o where kafka_offset is not null
  ) k
  where starts_with(topic, $1) group by topic, kafka_partition`;

const PAGE = `with span as materialized (
    select id, topic, kafka_partition, kafka_offset from messaging.outbox_progress
    where id >= greatest($2, (select low_id from messaging.reconciliation))
    order by id limit ${PAGE_ROWS}
  ), ends as (
    select topic, kafka_partition as partition, max(kafka_offset) + 1 as end
    from span where kafka_offset is not null and starts_with(topic, $1)
    group by topic, kafka_partition
  )
  select (select max(id) from span) as last,
    coalesce((select jsonb_agg(e) from ends e), '[]') as ends`;

interface Page {
  /** Id of the last row examined; null past the end. */
  readonly last: number | null;
  readonly ends: readonly KnownEnd[];
}

/**
 * The highest ends known to the database: each look reads consumers' positions, the latest sent rows and
 * one page of older rows above the watermark. A known end stays valid unless its topic is recreated.
 */
export class KnownEnds {
  readonly #db: Queryable;
  readonly #topicPrefix: string;
  readonly #ends = new Map<string, KnownEnd>();
  /** Id of the row where the next page starts. */
  #next = 0;

  constructor(db: Queryable, topicPrefix: string) {
    this.#db = db;
    this.#topicPrefix = topicPrefix;
  }

  async look(): Promise<readonly KnownEnd[]> {
    const recent = await queryRows<KnownEnd>(this.#db, {
      name: "known-ends-recent",
      text: RECENT,
      values: [this.#topicPrefix],
    });
    const [page] = await queryRows<Page>(this.#db, {
      name: "known-ends-page",
      text: PAGE,
      values: [this.#topicPrefix, this.#next],
    });
    for (const known of [...recent, ...(page?.ends ?? [])]) this.#note(known);
    const last = page?.last ?? null;
    this.#next = last === null ? 0 : last + 1;
    return [...this.#ends.values()];
  }

  /** Drops the known ends of one topic, or of all, because their offsets are no longer meaningful. */
  forget(topic?: string): void {
    for (const [name, known] of this.#ends) {
      if (topic === undefined || known.topic === topic) this.#ends.delete(name);
    }
  }

  #note(known: KnownEnd): void {
    const name = `${known.topic}/${known.partition}`;
    if ((this.#ends.get(name)?.end ?? -1) < known.end) this.#ends.set(name, known);
  }
}
