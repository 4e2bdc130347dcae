import { describe, expect, it } from "@jest/globals";
import type { Kafka } from "kafkajs";
import { AppError } from "../../platform/errors.ts";
import { createLogger } from "../../platform/logger.ts";
import { guardRestored, whenReconciled } from "./restore-guard.ts";

const log = createLogger("test", "silent");
const never = () => new Promise<void>(() => undefined);
const away = { admin: () => ({ connect: never, disconnect: never }) };

describe("a wait for whether the database was restored", () => {
  // It resolved as if that were known, and what waited for it began in a process that was being stopped.
  it("fails where it is aborted before that is known", async () => {
    const stopping = new AbortController();
    const waiting = whenReconciled({
      ...{ db: { query: () => Promise.resolve({ rows: [] }) } as never, log, topicPrefix: "" },
      ...{ kafka: away as unknown as Kafka, signal: stopping.signal },
    });
    stopping.abort();
    await expect(waiting).rejects.toMatchObject({ retryable: true });
  });

  it("leaves the guard unpassed then, and ends no process", async () => {
    const aborted = new AppError("broker_unavailable", "not known", { retryable: true });
    const guard = await guardRestored(Promise.reject(aborted), log);
    expect(guard.isPassed()).toBe(false);
  });

  it("passes the guard once it is known, and ends the start of who lacks effects", async () => {
    expect((await guardRestored(Promise.resolve(), log)).isPassed()).toBe(true);
    const lacking = new AppError("invalid_state", "It lacks effects.");
    await expect(guardRestored(Promise.reject(lacking), log)).rejects.toBe(lacking);
  });
});
