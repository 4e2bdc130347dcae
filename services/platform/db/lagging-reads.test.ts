import { afterEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { AppError } from "../errors.ts";
import { createLogger } from "../logger.ts";
import { createMetrics } from "../metrics.ts";
import { ReplicaLag, ReplicaReads } from "./lagging-reads.ts";
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

describe("ReplicaLag", () => {
  it("is unknown until the replica has reached a position of the primary", () => {
    const lag = new ReplicaLag(10_000);
    expect(lag.isWithinLimitAt(0)).toBe(false);
    lag.primaryAt(500, 1_000);
    lag.replicaAt(499);
    expect(lag.msAt(1_000)).toBe(Infinity);
    lag.replicaAt(500);
    expect(lag.msAt(1_250)).toBe(250);
  });

  it("counts from the newest position that the replica has reached", () => {
    const lag = new ReplicaLag(10_000);
    for (const [position, at] of [
      [100, 1_000],
      [200, 2_000],
      [300, 3_000],
    ] as const)
      lag.primaryAt(position, at);
    lag.replicaAt(250);
    expect(lag.msAt(3_000)).toBe(1_000);
    lag.replicaAt(900);
    expect(lag.msAt(3_000)).toBe(0);
  });

  it("grows while nothing is heard of either, also where the primary writes nothing", () => {
    const lag = new ReplicaLag(10_000);
    lag.primaryAt(100, 1_000);
    lag.replicaAt(100);
    expect(lag.isWithinLimitAt(10_999)).toBe(true);
    expect(lag.isWithinLimitAt(11_000)).toBe(false);
    lag.primaryAt(100, 12_000);
    lag.replicaAt(100);
    expect(lag.isWithinLimitAt(12_000)).toBe(true);
  });

  it("stays beyond the limit while the replica reaches only what is older than that", () => {
    const lag = new ReplicaLag(2_000);
    for (let second = 0; second < 100; second += 1) {
      lag.primaryAt(second * 10, second * 1_000);
      lag.replicaAt((second - 5) * 10);
      expect(lag.isWithinLimitAt(second * 1_000)).toBe(false);
    }
  });
});
