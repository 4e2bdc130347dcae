import type { TopicPartition } from "../platform/kafka/consumer.ts";
import type { PartitionEnd } from "../platform/kafka/topic-ends.ts";
import type { RawMessage } from "../platform/kafka/raw-message.ts";

/**
 * Reports, once per join, when everything on the assigned partitions at the time of the join has been
 * read.
 */
export class CatchUp {
  readonly #fetchEnds: () => Promise<readonly PartitionEnd[]>;
  readonly #onDone: () => void;
  readonly #onFault: (error: unknown) => void;
  readonly #read = new Map<string, number>();
  #join = 0;
  #missing: readonly PartitionEnd[] | null = null;

  constructor(
    fetchEnds: () => Promise<readonly PartitionEnd[]>,
    onDone: () => void,
    onFault: (error: unknown) => void,
  ) {
    this.#fetchEnds = fetchEnds;
    this.#onDone = onDone;
    this.#onFault = onFault;
  }

  begin(assigned: readonly TopicPartition[]): void {
    this.#join += 1;
    this.#read.clear();
    this.#missing = null;
    void this.#learnEnds(this.#join, assigned);
  }

  read({ topic, partition, offset }: RawMessage): void {
    this.#read.set(`${topic}/${partition}`, offset + 1);
    if (this.#missing !== null) this.#check();
  }

  async #learnEnds(join: number, assigned: readonly TopicPartition[]): Promise<void> {
    const mine = new Set(assigned.map(({ topic, partition }) => `${topic}/${partition}`));
    try {
      const ends = await this.#fetchEnds();
      if (join !== this.#join) return;
      this.#missing = ends.filter(({ topic, partition }) => mine.has(`${topic}/${partition}`));
      this.#check();
    } catch (error) {
      this.#onFault(error);
      if (join === this.#join) await this.#learnEnds(join, assigned);
    }
  }

  #check(): void {
    this.#missing =
      this.#missing?.filter(({ topic, partition, nextOffset }) => {
        return (this.#read.get(`${topic}/${partition}`) ?? 0) < nextOffset;
      }) ?? null;
    if (this.#missing?.length !== 0) return;
    this.#missing = null;
    this.#onDone();
  }
}
