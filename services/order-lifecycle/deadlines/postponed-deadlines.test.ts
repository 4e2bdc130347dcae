import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { AppError } from "../../platform/errors.ts";
import { createLogger } from "../../platform/logger.ts";
import { startDeadlineRunner, type DueBatch, type TakeBatch } from "./deadline-runner.ts";
import type { DeadlineKey } from "./store/take-due-deadlines.ts";

const T0 = new Date("2026-11-02T09:00:00.000Z");
const POSTPONED_MS = 60_000;
const BROKEN: DeadlineKey = { kind: "draft_expiry", subject_id: "broken" };
const SOUND: DeadlineKey = { kind: "draft_expiry", subject_id: "sound" };

const keysOf = ({ except }: DueBatch): DeadlineKey[] =>
  except.map(({ kind, subject_id }) => ({ kind, subject_id }));

/** A runner on its own clock, without a database, that looks at once again. */
function startRunner(takers: readonly TakeBatch[], isAnyDue = () => Promise.resolve(true)) {
  const clock = { at: T0, now: () => clock.at };
  const ends: string[] = [];
  const query = (statement: unknown) => {
    if (statement === "commit" || statement === "rollback") ends.push(statement);
    return Promise.resolve({ rows: [] });
  };
  const client = { query, release: () => undefined };
  const bus = {
    clock,
    log: createLogger("test", "silent"),
    tracing: null,
    pool: { connect: () => Promise.resolve(client) },
  } as unknown as Bus;
  const runner = startDeadlineRunner(bus, { pollMs: 1, isAnyDue, takers });
  return { runner, clock, ends };
}

/** Takes one deadline at a time; those that were handled are gone. */
function takerOf(due: readonly DeadlineKey[], handle: (deadline: DeadlineKey) => void) {
  const waiting = [...due];
  const batches: DeadlineKey[][] = [];
  const take: TakeBatch = async (_writer, batch) => {
    const except = keysOf(batch);
    batches.push(except);
    const next = waiting.find((one) => !except.some((key) => key.subject_id === one.subject_id));
    if (next === undefined) return 0;
    await batch.handle(next, () => {
      handle(next);
      waiting.splice(waiting.indexOf(next), 1);
      return Promise.resolve();
    });
    return 1;
  };
  return { take, batches };
}

describe("a deadline that cannot be handled", () => {
  it("is postponed for a minute, and keeps no other one waiting", async () => {
    const handled: DeadlineKey[] = [];
    const { take, batches } = takerOf([BROKEN, SOUND], (deadline) => {
      if (deadline === BROKEN) throw new AppError("rule_broken", "It cannot be handled.");
      handled.push(deadline);
    });
    const { runner, clock, ends } = startRunner([take]);
    await eventually(() => expect(handled).toEqual([SOUND]));
    expect(ends.slice(0, 2)).toEqual(["rollback", "commit"]);
    clock.at = new Date(T0.getTime() + POSTPONED_MS - 1);
    const looks = batches.length;
    await eventually(() => expect(batches.length).toBeGreaterThan(looks + 1));
    expect(batches.slice(1).every((except) => except.length === 1)).toBe(true);
    clock.at = new Date(T0.getTime() + POSTPONED_MS);
    await eventually(() => expect(batches.slice(looks)).toContainEqual([]));
    await runner.stop();
  });

  it("is not postponed while nothing can be handled at all", async () => {
    const { take, batches } = takerOf([BROKEN], () => {
      throw new AppError("database_unavailable", "It is away.", { retryable: true });
    });
    const { runner } = startRunner([take]);
    await eventually(() => expect(batches.length).toBeGreaterThan(1));
    await runner.stop();
    expect(batches.flat()).toEqual([]);
  });
});

describe("the deadlines", () => {
  it("of one taker wait for no other's failure", async () => {
    const handled: DeadlineKey[] = [];
    const failing: TakeBatch = () => Promise.reject(new Error("the table is locked"));
    const { take } = takerOf([SOUND, BROKEN], (deadline) => handled.push(deadline));
    const { runner } = startRunner([failing, take]);
    await eventually(() => expect(handled).toEqual([SOUND, BROKEN]));
    await runner.stop();
  });

  it("are not begun to be taken while none is due", async () => {
    let looks = 0;
    const { take, batches } = takerOf([SOUND], () => undefined);
    const { runner } = startRunner([take], () => {
      looks += 1;
      return Promise.resolve(false);
    });
    await eventually(() => expect(looks).toBeGreaterThan(1));
    await runner.stop();
    expect(batches).toEqual([]);
  });
});
