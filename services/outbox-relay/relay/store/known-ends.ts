import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** How far a partition had come, by what the database knows of it. */
export interface KnownEnd {
  /** Its full name. */
  readonly topic: string;
  readonly partition: number;
  /** The partition has held every offset below it. */
  readonly end: number;
}

/** Rows of one look: so much is read however many wait for a consumer. */
const RECENT_ROWS = 5_000;
const PAGE_ROWS = 20_000;

const RECENT = `select topic, kafka_partition as partition, max(known_end) as end
  from (
    select topic, kafka_partition, next_offset as known_end from messaging.consumer_positions
    union all
    select topic, kafka_partition, kafka_offset + 1 from (
      select topic, kafka_partition, kafka_offset from messaging.outbox
      where id >= (select low_id from messaging.reconciliation) and id < coalesce(
        (select id from messaging.outbox where sent_at is null order by id limit 1),
        9223372036854775807)
      order by id desc limit ${RECENT_ROWS}
    ) o where kafka_offset is not null
  ) k
  where starts_with(topic, $1) group by topic, kafka_partition`;

const PAGE = `with span as materialized (
    select id, topic, kafka_partition, kafka_offset from messaging.outbox
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
  /** Id of the last row looked at; null behind the last. */
  readonly last: number | null;
  readonly ends: readonly KnownEnd[];
}

/**
 * The greatest ends that the database speaks of: consumers' positions and the latest sent rows at each look, older
 * rows above the watermark page by page, look by look. Each is a fact for ever, unless its topic is made anew.
 */
export class KnownEnds {
  readonly #db: Queryable;
  readonly #topicPrefix: string;
  readonly #ends = new Map<string, KnownEnd>();
  /** Id of the row where the next page begins. */
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

  /** Drops what is known of a topic, whose old offsets mean nothing any more; of all of them unless one is named. */
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
