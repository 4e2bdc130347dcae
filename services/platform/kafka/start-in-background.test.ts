import { describe, expect, it } from "@jest/globals";
import { until } from "../../../infra/start/supervisor/until.ts";
import { AppError } from "../errors.ts";
import { createLogger } from "../logger.ts";
import type { RunningConsumer } from "./consumer.ts";
import { startInBackground } from "./start-in-background.ts";

const options = { log: createLogger("test", "silent"), retryMs: 1 };

interface Fake extends RunningConsumer {
  readonly stops: () => number;
}

function fakeConsumer(): Fake {
  let stops = 0;
  return {
    isJoined: () => true,
    stop: () => {
      stops += 1;
      return Promise.resolve();
    },
    stops: () => stops,
  };
}

interface Outcome {
  readonly outcome: Promise<RunningConsumer>;
  readonly resolve: (consumer: RunningConsumer) => void;
  readonly reject: (error: Error) => void;
}

/** The outcome of a start, which the test decides. */
function undecided(): Outcome {
  const parts: Partial<Record<"resolve" | "reject", (value: never) => void>> = {};
  const outcome = new Promise<RunningConsumer>((resolve, reject) => {
    Object.assign(parts, { resolve, reject });
  });
  return { outcome, ...(parts as Pick<Outcome, "resolve" | "reject">) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("startInBackground", () => {
  it("is not joined while the start hangs, then as the consumer is", async () => {
    const { outcome, resolve } = undecided();
    const consumer = startInBackground(() => outcome, options);
    await settled();
    expect(consumer.isJoined()).toBe(false);
    resolve(fakeConsumer());
    await settled();
    expect(consumer.isJoined()).toBe(true);
  });

  it("tries again where the start fails", async () => {
    let starts = 0;
    const consumer = startInBackground(() => {
      starts += 1;
      if (starts < 3) return Promise.reject(new AppError("broker_unavailable", "No broker."));
      return Promise.resolve(fakeConsumer());
    }, options);
    await until(() => consumer.isJoined(), { timeoutMs: 5_000, what: "the third start" });
    expect(starts).toBe(3);
  });

  it("stops the consumer", async () => {
    const fake = fakeConsumer();
    const consumer = startInBackground(() => Promise.resolve(fake), options);
    await settled();
    await consumer.stop();
    expect(fake.stops()).toBe(1);
  });

  it("does not wait for a start that hangs, and stops what comes of it", async () => {
    const fake = fakeConsumer();
    const { outcome, resolve } = undecided();
    const consumer = startInBackground(() => outcome, options);
    await consumer.stop();
    resolve(fake);
    await settled();
    expect([fake.stops(), consumer.isJoined()]).toEqual([1, false]);
  });

  it("does not start again after the stop", async () => {
    let starts = 0;
    const { outcome, reject } = undecided();
    const consumer = startInBackground(() => {
      starts += 1;
      return outcome;
    }, options);
    await consumer.stop();
    reject(new AppError("broker_unavailable", "No broker."));
    await settled();
    await settled();
    expect(starts).toBe(1);
  });
});
