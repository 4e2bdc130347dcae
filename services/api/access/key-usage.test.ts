import { afterEach, describe, expect, it } from "@jest/globals";
import type { KeyUse } from "../../domain/account/store/api-keys.ts";
import { createLogger } from "../../platform/logger.ts";
import { createKeyUsage, type KeyUsage } from "./key-usage.ts";

const opened: KeyUsage[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((usage) => usage.stop()));
});

/** A recorder whose clock the test moves; `state.away` makes writes fail. */
function recorder() {
  const state = { nowMs: 1_000_000, away: false };
  const writes: (readonly KeyUse[])[] = [];
  const usage = createKeyUsage({
    clock: { now: () => new Date(state.nowMs) },
    log: createLogger("test", "silent"),
    write: (uses) => {
      if (state.away) return Promise.reject(new Error("away"));
      writes.push(uses);
      return Promise.resolve();
    },
  });
  opened.push(usage);
  return { state, writes, usage };
}

describe("createKeyUsage", () => {
  it("writes many uses as one statement with the latest time of each key", async () => {
    const { state, writes, usage } = recorder();
    usage.note("a");
    state.nowMs += 1_000;
    usage.note("a");
    usage.note("b");
    await usage.flush();
    const at = new Date(state.nowMs);
    expect(writes).toEqual([
      [
        { keyId: "a", at },
        { keyId: "b", at },
      ],
    ]);
  });

  it("writes nothing when no key was used", async () => {
    const { writes, usage } = recorder();
    await usage.flush();
    await usage.stop();
    expect(writes).toEqual([]);
  });

  it.each([
    [1_000, 75],
    [7_000, 75],
    // Skipping one use would leave the record more than a minute behind the next, so each use is written.
    [31_000, 117],
    [49_000, 75],
  ])(
    "is never a minute behind a key used every %i ms, with at most %i writes an hour",
    async (everyMs, mostWrites) => {
      const { state, writes, usage } = recorder();
      let lastUseMs = 0;
      let furthestBehindMs = 0;
      for (let second = 0; second < 3_600; second += 1) {
        state.nowMs += 1_000;
        if ((second * 1_000) % everyMs === 0) {
          usage.note("a");
          lastUseMs = state.nowMs;
        }
        if (second % 5 === 0) await usage.flush();
        const written = writes.at(-1)?.[0]?.at.getTime() ?? lastUseMs;
        furthestBehindMs = Math.max(furthestBehindMs, lastUseMs - written);
      }
      expect(furthestBehindMs).toBeLessThanOrEqual(60_000);
      expect(writes.length).toBeLessThanOrEqual(mostWrites);
    },
  );

  it("keeps uses that could not be written, and a later use wins", async () => {
    const { state, writes, usage } = recorder();
    usage.note("a");
    usage.note("b");
    state.away = true;
    await usage.flush();
    state.away = false;
    state.nowMs += 2_000;
    usage.note("b");
    await usage.flush();
    expect(writes).toEqual([
      [
        { keyId: "a", at: new Date(state.nowMs - 2_000) },
        { keyId: "b", at: new Date(state.nowMs) },
      ],
    ]);
  });

  it("writes on stop a key that was written less than a minute ago and used since", async () => {
    const { state, writes, usage } = recorder();
    usage.note("a");
    await usage.flush();
    state.nowMs += 3_000;
    usage.note("a");
    await usage.flush();
    expect(writes).toHaveLength(1);
    await usage.stop();
    expect(writes.at(-1)).toEqual([{ keyId: "a", at: new Date(state.nowMs) }]);
  });
});
