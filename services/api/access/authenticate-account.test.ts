import { describe, expect, it } from "@jest/globals";
import { API_KEY, issueKey } from "../../domain/account/rules/api-key.ts";
import { authenticateAccount, authorizeAccount } from "./authenticate-account.ts";

const HOLDER = { key_id: "k", account_id: "a", status: "active" } as const;

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
    expect(principal).toEqual({ accountId: "a", keyId: "k", suspended: false });
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
