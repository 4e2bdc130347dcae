import { describe, expect, it } from "@jest/globals";
import type { Bus } from "../../messages/bus/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { AppError } from "../../platform/errors.ts";
import { createLogger } from "../../platform/logger.ts";
import { DocumentQueue, WakeUp, type DocumentTask, type TaskSource } from "./document-queue.ts";
import type { TakeOptions } from "./store.ts";
import type { WarmWorker } from "./warm-worker.ts";

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

function gate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function workerNamed(): WarmWorker {
  const never = () => Promise.reject(new Error("a task of this test asks no worker"));
  return { check: never, read: never, stop: () => undefined };
}

/** A source that may always have more. */
function sourceOf(take: (options: TakeOptions) => Promise<DocumentTask | null>): TaskSource {
  return { work: "check", take: async (options) => ({ taken: await take(options), more: true }) };
}

const bus = { clock: systemClock, log: createLogger("test", "silent") } as unknown as Bus;

describe("the queue of documents", () => {
  it("gives a worker one document at a time, also where another becomes idle while the next is taken", async () => {
    const [first, second] = [workerNamed(), workerNamed()];
    const firstTaken = gate();
    const firstDone = gate();
    const secondStarted = gate();
    const thirdStarted = gate();
    const end = gate();
    const ran: WarmWorker[] = [];
    const task = (accountId: string, run: () => Promise<void>): DocumentTask => ({
      accountId,
      run: async (worker) => {
        ran.push(worker);
        await run();
        return () => Promise.resolve();
      },
    });
    const tasks = [
      () => task("a", () => firstTaken.opened.then(() => firstDone.open())),
      async () => {
        // The first ends while this one is being taken.
        firstTaken.open();
        await firstDone.opened;
        await new Promise(setImmediate);
        return task("b", () => {
          secondStarted.open();
          return end.opened;
        });
      },
      () =>
        task("c", () => {
          thirdStarted.open();
          return end.opened;
        }),
    ];
    const source = sourceOf(async () => (await tasks.shift()?.()) ?? null);
    const queue = new DocumentQueue(bus, { workers: [first, second], sources: [source] });
    await secondStarted.opened;
    await thirdStarted.opened;
    expect(ran).toHaveLength(3);
    expect(ran[2]).not.toBe(ran[1]);
    end.open();
    await queue.stop();
  });

  it("writes a result again that could not be written, without the work and without holding a worker", async () => {
    const worker = workerNamed();
    const secondRan = gate();
    const isWritten = gate();
    let works = 0;
    let tries = 0;
    const settle = async (): Promise<void> => {
      tries += 1;
      if (tries === 1) await secondRan.opened;
      if (tries < 3) throw new AppError("database_unavailable", "away", { retryable: true });
      isWritten.open();
    };
    const first: DocumentTask = {
      accountId: "a",
      run: () => {
        works += 1;
        return Promise.resolve(settle);
      },
    };
    const second: DocumentTask = {
      accountId: "b",
      run: () => {
        secondRan.open();
        return Promise.resolve(() => Promise.resolve());
      },
    };
    const busy: (readonly string[])[] = [];
    const tasks = [first, second];
    const source = sourceOf((options) => {
      busy.push(options.busy);
      return Promise.resolve(tasks.shift() ?? null);
    });
    const queue = new DocumentQueue(bus, { workers: [worker], sources: [source] });
    await isWritten.opened;
    await queue.stop();
    expect([works, tries]).toEqual([1, 3]);
    // Nothing else of the account is begun before its result is written.
    expect(busy[1]).toEqual(["a"]);
  });

  it("tries once more to write a result when it stops, and leaves it to its lease then", async () => {
    const isTried = gate();
    let tries = 0;
    const task: DocumentTask = {
      accountId: "a",
      run: () =>
        Promise.resolve(() => {
          tries += 1;
          isTried.open();
          const away = new AppError("database_unavailable", "away", { retryable: true });
          return Promise.reject(away);
        }),
    };
    const tasks = [task];
    const source = sourceOf(() => Promise.resolve(tasks.shift() ?? null));
    const queue = new DocumentQueue(bus, { workers: [workerNamed()], sources: [source] });
    await isTried.opened;
    await new Promise(setImmediate);
    await queue.stop();
    expect(tries).toBe(2);
  });

  it("looks again at a kind of work that had none only when some is announced", async () => {
    const isLookedAt = gate();
    const isDone = gate();
    const looks: string[] = [];
    let checks = 0;
    const done: DocumentTask = {
      accountId: "a",
      run: () =>
        Promise.resolve(() => {
          isDone.open();
          return Promise.resolve();
        }),
    };
    const check: TaskSource = {
      work: "check",
      take: () => {
        looks.push("check");
        checks += 1;
        return Promise.resolve({ taken: checks === 2 ? done : null, more: false });
      },
    };
    const read: TaskSource = {
      work: "read",
      take: () => {
        looks.push("read");
        isLookedAt.open();
        return Promise.resolve({ taken: null, more: false });
      },
    };
    const workers = [workerNamed(), workerNamed()];
    const queue = new DocumentQueue(bus, { workers, sources: [check, read] });
    await isLookedAt.opened;
    queue.notify("check");
    await isDone.opened;
    await new Promise(setImmediate);
    await queue.stop();
    expect(looks).toEqual(["check", "read", "check"]);
  });
});

describe("a wake-up", () => {
  it("ends the wait when it is called", async () => {
    const wakeUp = new WakeUp();
    const waiting = wakeUp.wait(60_000);
    wakeUp.call();
    expect(await waiting).toBe(true);
  });

  it("remembers one call made while nothing waited", async () => {
    const wakeUp = new WakeUp();
    wakeUp.call();
    wakeUp.call();
    expect(await wakeUp.wait(60_000)).toBe(true);
    expect(await wakeUp.wait(1)).toBe(false);
  });
});
