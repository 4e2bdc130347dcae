import { describe, expect, it } from "@jest/globals";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";
import {
  guardFirstBatches,
  Turns,
  type ReadAttempts,
  type ReadPartition,
} from "./first-batches.ts";
import { createLogger } from "../logger.ts";
import { BatchInterrupted, type BatchControl } from "./handle-batch.ts";
import type { RawMessage } from "./raw-message.ts";

interface Row {
  readers: number;
  offset: number | null;
  attempts: number;
}

/** The notes of a database, and how many statements they took. */
class Notes implements ReadAttempts {
  readonly rows = new Map<string, Row>();
  statements = 0;

  begin(place: ReadPartition): Promise<number> {
    const row = this.#row(place);
    row.readers += 1;
    return Promise.resolve(row.readers);
  }

  attempt(place: ReadPartition, offset: number): Promise<number> {
    const row = this.#row(place);
    row.attempts = row.offset === offset ? row.attempts + 1 : 1;
    row.offset = offset;
    return Promise.resolve(row.attempts);
  }

  forgive(place: ReadPartition): Promise<void> {
    this.#row(place).attempts = 0;
    return Promise.resolve();
  }

  waitFor(): Promise<void> {
    return Promise.resolve();
  }

  end({ topic, partition }: ReadPartition): Promise<void> {
    this.statements += 1;
    this.rows.delete(`${topic}/${partition}`);
    return Promise.resolve();
  }

  #row({ topic, partition }: ReadPartition): Row {
    this.statements += 1;
    const name = `${topic}/${partition}`;
    const row = this.rows.get(name) ?? { readers: 0, offset: null, attempts: 0 };
    this.rows.set(name, row);
    return row;
  }
}

const NEVER = new Promise<never>(() => undefined);

/** A group's partitions, which are read by one life of a process after the other. */
class Group {
  readonly notes = new Notes();
  readonly handled: string[] = [];
  readonly givenUp: string[] = [];
  readonly committed = new Map<number, number>();
  lives = 0;
  isStopping = false;
  /** Of an in-between: what happens at a record, by its name. */
  readonly at = new Map<string, (control: BatchControl) => Promise<void> | void>();

  /** Reads what is left of the partitions together; resolves to false where the life ends before they are read. */
  async live(partitions: ReadonlyMap<number, number>): Promise<boolean> {
    this.lives += 1;
    let isDead = false;
    let die = (): void => undefined;
    const death = new Promise<false>((resolve) => {
      die = () => {
        isDead = true;
        resolve(false);
      };
    });
    const nameOf = ({ partition, offset }: RawMessage): string => `${partition}/${offset}`;
    const guard = guardFirstBatches({
      consumer: "planted",
      attempts: this.notes,
      turns: new Turns(),
      log: createLogger("test", "silent"),
      handle: async (batch, control) => {
        for (const raw of batch) {
          if (control.isOver()) throw new BatchInterrupted();
          if (this.at.get(nameOf(raw)) === kills) {
            die();
            await NEVER; // all of the process stands still
          }
          await this.at.get(nameOf(raw))?.(control);
          this.handled.push(nameOf(raw));
        }
      },
      giveUp: (raw) => {
        this.givenUp.push(nameOf(raw));
        return Promise.resolve();
      },
    });
    const readAll = [...partitions].map(async ([partition, end]) => {
      const from = this.committed.get(partition) ?? 0;
      const batch = Array.from({ length: end - from }, (_, n) =>
        buildRawMessage({ partition, offset: from + n }),
      );
      await guard.onBatch(batch, {
        isOver: () => this.isStopping,
        heartbeat: () => Promise.resolve(),
        wait: () => (isDead ? NEVER : new Promise((resolve) => setImmediate(resolve, true))),
        commit: (next) => Promise.resolve(void this.committed.set(partition, next)),
      });
      this.committed.set(partition, end);
    });
    return Promise.race([Promise.all(readAll).then(() => true), death]);
  }

  async liveUntilRead(partitions: ReadonlyMap<number, number>): Promise<void> {
    while (!(await this.live(partitions))) if (this.lives > 20) throw new Error("it never ends");
  }
}

const kills = (): void => undefined;

describe("a record that kills whoever reads it", () => {
  it("is given up after three readers, wherever it lies, and all others are handled", async () => {
    for (const deadly of [0, 1, 4]) {
      const group = new Group();
      group.at.set(`0/${deadly}`, kills);
      await group.liveUntilRead(new Map([[0, 5]]));
      expect([group.givenUp, group.lives]).toEqual([[`0/${deadly}`], 4]);
      const others = [0, 1, 2, 3, 4].filter((n) => n !== deadly).map((n) => `0/${n}`);
      expect(new Set(group.handled)).toEqual(new Set(others));
      expect(group.notes.rows.size).toBe(0);
    }
  });

  it("is found where there are several, and nothing else is given up for it", async () => {
    const group = new Group();
    for (const name of ["0/1", "0/2", "1/0", "2/3"]) group.at.set(name, kills);
    await group.liveUntilRead(
      new Map([
        [0, 4],
        [1, 4],
        [2, 4],
        [3, 4],
      ]),
    );
    expect(group.givenUp.sort()).toEqual(["0/1", "0/2", "1/0", "2/3"]);
    expect(new Set(group.handled).size).toBe(12);
  });
});

describe("a record that kills nobody", () => {
  it("costs two statements with the first batch of its partition, and later ones none", async () => {
    const group = new Group();
    await group.live(new Map([[0, 100]]));
    expect(group.notes.statements).toBe(2);
    expect(group.handled).toHaveLength(100);
  });

  it("is not given up because its readers are stopped, again and again", async () => {
    const group = new Group();
    for (let n = 0; n < 10; n += 1) {
      group.isStopping = true;
      await expect(group.live(new Map([[0, 3]]))).rejects.toThrow(BatchInterrupted);
    }
    group.isStopping = false;
    await group.live(new Map([[0, 3]]));
    expect([group.givenUp, group.handled]).toEqual([[], ["0/0", "0/1", "0/2"]]);
  });

  it("is not given up because its reader is killed while it waits, and keeps no turn meanwhile", async () => {
    const group = new Group();
    for (let n = 0; n < 10; n += 1) {
      const seen = { waits: false };
      group.at.set("0/0", async (control) => {
        await control.wait(1);
        seen.waits = true;
        await NEVER;
      });
      void group.live(
        new Map([
          [0, 1],
          [1, 1],
        ]),
      );
      for (let turn = 0; turn < 100 && !(seen.waits && group.handled.length > n); turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect([seen.waits, group.handled.length > n]).toEqual([true, true]);
      group.committed.clear();
    }
    group.at.clear();
    await group.live(new Map([[0, 1]]));
    expect([group.givenUp, group.handled.at(-1)]).toEqual([[], "0/0"]);
  });
});
