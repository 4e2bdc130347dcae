import { afterEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { AppError } from "../errors.ts";
import { createLogger } from "../logger.ts";
import { createMetrics } from "../metrics.ts";
import { ReplicaReads } from "./lagging-reads.ts";
import type { Queryable } from "./transaction.ts";

const LIMIT_MS = 60_000;

/** A server at a position of the log of the primary with the mark; null: one that is not a replica. */
class FakeServer implements Queryable {
  position: number | null = 100;
  mark: string | null = "this primary";
  isAway = false;
  asked = 0;
  readonly query = (() => {
    this.asked += 1;
    return this.isAway
      ? Promise.reject(new Error("Connection terminated unexpectedly"))
      : Promise.resolve({ rows: [{ position: this.position, mark: this.mark }] });
  }) as Queryable["query"];
}

const opened: ReplicaReads[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});

function open() {
  const primary = new FakeServer();
  const replica = new FakeServer();
  const metrics = createMetrics("test");
  const reads = new ReplicaReads({
    primary,
    replica,
    metrics,
    limitMs: LIMIT_MS,
    log: createLogger("test", "silent"),
    everyMs: 1,
  });
  opened.push(reads);
  const nameOf = (db: Queryable): string => (db === replica ? "replica" : "primary");
  const where = (hasSeen?: () => Promise<boolean>): Promise<string> =>
    reads.run((db) => Promise.resolve(nameOf(db)), hasSeen);
  return { primary, replica, reads, metrics, where, nameOf };
}

describe("reads that may lag", () => {
  it("use the replica once it is known to keep up", async () => {
    const { where, metrics } = open();
    expect(await where()).toBe("primary");
    await eventually(async () => expect(await where()).toBe("replica"));
    expect((await metrics.page()).text).toMatch(/lagging_reads_total\{database="replica".*\} 1/);
  });

  it("use the primary while the replica is behind, away, or not a replica", async () => {
    const { replica, where } = open();
    const usable = () => eventually(async () => expect(await where()).toBe("replica"));
    await usable();
    replica.isAway = true;
    await eventually(async () => expect(await where()).toBe("primary"));
    replica.position = 99;
    replica.isAway = false;
    const away = await where();
    replica.position = 100;
    await usable();
    replica.position = null;
    await eventually(async () => expect(await where()).toBe("primary"));
    expect(away).toBe("primary");
  });

  it("use the primary beside a replica of another one, however far that has come", async () => {
    const { primary, replica, where } = open();
    const usable = () => eventually(async () => expect(await where()).toBe("replica"));
    await usable();
    primary.mark = "the primary after a failover";
    replica.position = 1_000;
    await eventually(async () => expect(await where()).toBe("primary"));
    const { asked } = replica;
    await eventually(() => expect(replica.asked).toBeGreaterThan(asked + 3));
    const strange = await where();
    replica.mark = primary.mark;
    await usable();
    primary.mark = null;
    replica.mark = null;
    await eventually(async () => expect(await where()).toBe("primary"));
    expect(strange).toBe("primary");
  });

  it("use the primary for a reader who has seen more than the replica", async () => {
    const { where } = open();
    await eventually(async () => expect(await where()).toBe("replica"));
    expect(await where(() => Promise.resolve(false))).toBe("primary");
  });

  it("are made again on the primary where the replica fails, but not where the read itself is refused", async () => {
    const { reads, where, nameOf } = open();
    await eventually(async () => expect(await where()).toBe("replica"));
    const lost = new AppError("database_unavailable", "lost", { retryable: true });
    const read = (db: Queryable): Promise<string> =>
      nameOf(db) === "replica" ? Promise.reject(lost) : Promise.resolve("primary");
    expect(await reads.run(read)).toBe("primary");
    await eventually(async () => expect(await where()).toBe("replica"));
    const unlike = (db: Queryable): Promise<string> =>
      nameOf(db) === "replica"
        ? Promise.reject(new Error("column does not exist"))
        : Promise.resolve("primary");
    expect(await reads.run(unlike)).toBe("primary");
    await eventually(async () => expect(await where()).toBe("replica"));
    const refused = new AppError("invalid_parameter", "unknown");
    await expect(reads.run(() => Promise.reject(refused))).rejects.toBe(refused);
  });
});
