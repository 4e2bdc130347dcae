import { describe, expect, it } from "@jest/globals";
import type { Bus } from "../../messages/bus/bus.ts";
import { createLogger } from "../../platform/logger.ts";
import { systemClock } from "../../platform/clock.ts";
import { DocumentQueue, type DocumentTask, type TaskSource } from "./document-queue.ts";
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
  return { check: never, read: never, draw: never, stop: () => undefined };
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
      run: (worker) => {
        ran.push(worker);
        return run();
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
    const source: TaskSource = { take: async () => (await tasks.shift()?.()) ?? null };
    const queue = new DocumentQueue(bus, { workers: [first, second], sources: [source] });
    await secondStarted.opened;
    await thirdStarted.opened;
    expect(ran).toHaveLength(3);
    expect(ran[2]).not.toBe(ran[1]);
    end.open();
    await queue.stop();
  });
});
