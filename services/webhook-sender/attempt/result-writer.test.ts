import { describe, expect, it } from "@jest/globals";
import { createLogger } from "../../platform/logger.ts";
import type { ClaimedDelivery } from "../store/claim-deliveries.ts";
import type { AttemptResult, RecordedResult } from "../store/record-results.ts";
import { ResultWriter } from "./result-writer.ts";

const log = createLogger("test", "silent");

const resultOf = (id: string): AttemptResult => ({
  delivery: { id } as ClaimedDelivery,
  outcome: { trigger: "attempt_succeeded" },
  endedAt: new Date(0),
  entry: {
    attempt: 1,
    started_at: "",
    duration_ms: 1,
    response_code: 200,
    error: null,
    response_body: "",
  },
});

const recorded = (results: readonly AttemptResult[]): RecordedResult[] =>
  results.map(({ delivery }) => ({ id: delivery.id, status: "succeeded" }));

describe("the result writer", () => {
  it("writes what comes while a batch is written as the next, and everything before drain resolves", async () => {
    const sizes: number[] = [];
    const written: string[] = [];
    const writer = new ResultWriter({
      write: (results) => {
        sizes.push(results.length);
        return Promise.resolve(recorded(results));
      },
      onRecorded: (_, done) => written.push(...done.map(({ id }) => id)),
      log,
    });
    writer.add(resultOf("first"));
    await new Promise(setImmediate);
    for (let n = 0; n < 600; n += 1) writer.add(resultOf(`d${n}`));
    await writer.drain(10_000);
    expect(sizes).toEqual([1, 250, 250, 100]);
    expect(new Set(written).size).toBe(601);
    expect(writer.waiting).toBe(0);
  });

  it("retries a batch that could not be written", async () => {
    let tries = 0;
    const writer = new ResultWriter({
      write: (results) => {
        tries += 1;
        return tries === 1 ? Promise.reject(new Error("away")) : Promise.resolve(recorded(results));
      },
      onRecorded: () => undefined,
      log,
    });
    writer.add(resultOf("d"));
    await writer.drain(10_000);
    expect(tries).toBe(2);
  });

  it("abandons results that cannot be written within the drain's deadline", async () => {
    const writer = new ResultWriter({
      write: () => Promise.reject(new Error("away")),
      onRecorded: () => undefined,
      log,
    });
    writer.add(resultOf("d"));
    await writer.drain(20);
    expect(writer.waiting).toBe(0);
  });
});
