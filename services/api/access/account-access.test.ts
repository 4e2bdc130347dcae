import { afterEach, describe, expect, it } from "@jest/globals";
import { API_KEY, issueKey } from "../../domain/account/rules/api-key.ts";
import type { KeyUse } from "../../domain/account/store/api-keys.ts";
import { createLogger } from "../../platform/logger.ts";
import {
  authenticateAccount,
  authorizeAccount,
  createKeyUsage,
  type KeyUsage,
} from "./account-access.ts";

const HOLDER = {
  key_id: "k",
  account_id: "a",
  status: "active",
  has_number_defaults: false,
} as const;

/** A look-up that always returns the same holder and records the keys it was asked for. */
function recording(holder: typeof HOLDER | null) {
  const asked: string[] = [];
  const noted: string[] = [];
  const findHolder = (key: string) => {
    asked.push(key);
    return Promise.resolve(holder);
  };
  return {
    asked,
    noted,
    deps: { findHolder, usage: { note: (keyId: string) => void noted.push(keyId) } },
  };
}

describe("authenticateAccount", () => {
  const { key } = issueKey(API_KEY);

  it("looks the key up once and notes its use", async () => {
    const { asked, noted, deps } = recording(HOLDER);
    const principal = await authenticateAccount(deps, key);
    expect(principal).toEqual({
      accountId: "a",
      keyId: "k",
      suspended: false,
      hasNumberDefaults: false,
    });
    expect(asked).toEqual([key]);
    expect(noted).toEqual(["k"]);
  });

  it.each([null, "", "nps_live_", `${key.slice(0, -1)}_`, key.replace("live", "desk")])(
    "refuses %j without querying the database",
    async (credential) => {
      const { asked, deps } = recording(HOLDER);
      expect(await authenticateAccount(deps, credential)).toBeNull();
      expect(asked).toEqual([]);
    },
  );

  it("returns null for an unknown or revoked key", async () => {
    const { noted, deps } = recording(null);
    expect(await authenticateAccount(deps, key)).toBeNull();
    expect(noted).toEqual([]);
  });
});

describe("authorizeAccount", () => {
  it("refuses a suspended account", () => {
    const principal = { accountId: "a", keyId: "k", suspended: true };
    expect(() => authorizeAccount(principal)).toThrow(
      expect.objectContaining({ code: "account_suspended" }),
    );
    expect(() => authorizeAccount({ ...principal, suspended: false })).not.toThrow();
  });
});

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
