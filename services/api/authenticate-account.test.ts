import { describe, expect, it } from "@jest/globals";
import { API_KEY, hashKey, issueKey } from "../domain/account/api-key.ts";
import type { Queryable } from "../platform/db/transaction.ts";
import { authenticateAccount, authorizeAccount } from "./authenticate-account.ts";

const HOLDER = { key_id: "k", account_id: "a", status: "active" };

/** A database that answers every look-up with `rows` and keeps what it was asked. */
function recording(rows: readonly unknown[]) {
  const asked: unknown[] = [];
  const noted: string[] = [];
  const query = (config: { values?: unknown[] }) => {
    asked.push(config.values);
    return Promise.resolve({ rows });
  };
  const pool = { query } as unknown as Queryable;
  return {
    asked,
    noted,
    deps: { pool, usage: { note: (keyId: string) => void noted.push(keyId) } },
  };
}

describe("authenticateAccount", () => {
  const { key } = issueKey(API_KEY);

  it("asks once, by the hash of the key, and notes the use", async () => {
    const { asked, noted, deps } = recording([HOLDER]);
    const principal = await authenticateAccount(deps, key);
    expect(principal).toEqual({ accountId: "a", keyId: "k", suspended: false });
    expect(asked).toEqual([[hashKey(key)]]);
    expect(noted).toEqual(["k"]);
  });

  it.each([null, "", "nps_live_", `${key.slice(0, -1)}_`, key.replace("live", "desk")])(
    "refuses %j without asking the database",
    async (credential) => {
      const { asked, deps } = recording([HOLDER]);
      expect(await authenticateAccount(deps, credential)).toBeNull();
      expect(asked).toEqual([]);
    },
  );

  it("knows no holder of an unknown or revoked key", async () => {
    const { noted, deps } = recording([]);
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
