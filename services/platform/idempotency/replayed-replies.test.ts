import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import type { Pool, QueryConfig } from "pg";
import type { Reply } from "../http/routing/reply.ts";
import {
  createFingerprints,
  createOnce,
  replayedSince,
  replayOf,
  storedReply,
} from "./start-idempotency.ts";
import type { OnceRequest } from "./idempotency-key.ts";

const NOW = new Date("2026-11-02T09:00:00.000Z");
const DAY_MS = 86_400_000;
const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();

const fingerprints = createFingerprints(randomBytes(32));
const request: OnceRequest = {
  owner: "account",
  key: "key",
  digest: digestOf("request"),
  credential: "nps_live_one",
  isSecret: false,
};
const reply: Reply = { status: 201, headers: { Location: "/v2/things/1" }, body: { id: "1" } };
const replayed = { ...reply, headers: { ...reply.headers, "Idempotency-Replayed": "true" } };
const reused = expect.objectContaining({ code: "idempotency_key_reused" });

const storedOf = (to: OnceRequest, given = reply) => ({
  ...storedReply(to, given),
  fingerprint: fingerprints.of(to.digest),
});

describe("a stored response", () => {
  it("is replayed to the same request, and says so", () => {
    expect(replayOf(request, storedOf(request), fingerprints)).toEqual(replayed);
  });

  it("without a body is replayed without one", () => {
    expect(replayOf(request, storedOf(request, { status: 204 }), fingerprints)).toEqual({
      status: 204,
      headers: { "Idempotency-Replayed": "true" },
    });
  });

  it("is not replayed to another request under its key", () => {
    const other = { ...request, digest: digestOf("another request") };
    expect(() => replayOf(other, storedOf(request), fingerprints)).toThrow(reused);
  });

  it("with a secret is stored sealed, and replayed to its API key alone", () => {
    const secret = { ...request, isSecret: true };
    const stored = storedOf(secret, { status: 201, body: { secret: "whsec_1" } });
    expect(stored.body?.toString("latin1")).not.toContain("whsec_1");
    expect(replayOf(secret, stored, fingerprints).body).toEqual({ secret: "whsec_1" });
    const withOther = { ...secret, credential: "nps_live_two" };
    expect(() => replayOf(withOther, stored, fingerprints)).toThrow(reused);
  });

  it("is replayed for 24 hours (docs/contract/customer-api.md, Idempotency-Key)", () => {
    expect(replayedSince(NOW)).toEqual(new Date("2026-11-01T09:00:00.000Z"));
  });
});

/** The stored responses, as far as the statements are concerned; `isLocked` while another request runs. */
function setUp({ isLocked = false, large = 0 } = {}) {
  let now = NOW;
  let stored: unknown[] | undefined;
  const calls: string[] = [];
  const find = (since: unknown): object[] => {
    if (stored === undefined) return [];
    const [, , fingerprint, status, headers, body, is_sealed, created_at] = stored;
    const isYoung = created_at instanceof Date && since instanceof Date && created_at > since;
    const row = {
      fingerprint,
      status,
      headers: JSON.parse(String(headers)) as unknown,
      body,
      is_sealed,
    };
    return isYoung ? [row] : [];
  };
  const query = ({ name, values = [] }: QueryConfig) => {
    if (name === "idempotency-lock") return Promise.resolve({ rows: [{ locked: !isLocked }] });
    if (name === "idempotency-large") return Promise.resolve({ rows: [{ count: large }] });
    if (name === "idempotency-find") return Promise.resolve({ rows: find(values[2]) });
    calls.push("store");
    stored = values;
    return Promise.resolve({ rows: [] });
  };
  let before: unknown[] | undefined;
  const control = (command: string) => {
    if (command === "begin") before = stored;
    if (command === "rollback") stored = before;
    return Promise.resolve();
  };
  const client = {
    query: (asked: string | QueryConfig) =>
      typeof asked === "string" ? control(asked) : query(asked),
    release: () => undefined,
  };
  const pool = { query, connect: () => Promise.resolve(client) } as unknown as Pool;
  const once = createOnce({
    ...{ pool, fingerprints, clock: { now: () => now } },
    onCommit: () => calls.push("commit"),
  });
  const ask = (
    run = () => Promise.resolve(reply),
    asked: Partial<OnceRequest> = {},
  ): Promise<Reply> =>
    once({ ...request, ...asked })(
      () => {
        calls.push("prepare");
        return Promise.resolve();
      },
      () => {
        calls.push("run");
        return run();
      },
    );
  const passMs = (ms: number): void => {
    now = new Date(now.getTime() + ms);
  };
  const callsOf = async (asking: Promise<Reply>): Promise<[Reply, string[]]> => {
    const answer = await asking;
    return [answer, calls.splice(0)];
  };
  return { ask, passMs, calls, callsOf };
}

describe("a request under an idempotency key", () => {
  const all = ["prepare", "run", "store", "commit"];

  it("runs once, and is neither prepared nor run again for 24 hours", async () => {
    const { ask, passMs, callsOf } = setUp();
    expect(await callsOf(ask())).toEqual([reply, all]);
    expect(await callsOf(ask())).toEqual([replayed, ["commit"]]);
    passMs(DAY_MS - 1);
    expect(await callsOf(ask())).toEqual([replayed, ["commit"]]);
    passMs(1);
    expect(await callsOf(ask())).toEqual([reply, all]);
  });

  it("is refused where the key was used for another one, which does not run", async () => {
    const { ask, calls } = setUp();
    await ask();
    calls.splice(0);
    const digest = digestOf("another request");
    await expect(ask(undefined, { digest })).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
    expect(calls).toEqual([]);
  });

  it("is refused while another one under the key runs", async () => {
    const { ask, calls } = setUp({ isLocked: true });
    await expect(ask()).rejects.toMatchObject({ code: "idempotency_in_progress" });
    expect(calls).toEqual(["prepare"]);
  });

  it("leaves nothing where it fails, and may be tried again", async () => {
    const { ask, calls, callsOf } = setUp();
    await expect(ask(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
    expect(calls.splice(0)).toEqual(["prepare", "run"]);
    expect(await callsOf(ask())).toEqual([reply, all]);
  });

  it("with an answer above 16 KiB is refused once 10,000 of these are kept, and leaves nothing", async () => {
    const long: Reply = { status: 200, body: { text: "x".repeat(16_384) } };
    const { ask, callsOf } = setUp({ large: 9_999 });
    expect(await callsOf(ask(() => Promise.resolve(long)))).toEqual([long, all]);
    const full = setUp({ large: 10_000 });
    await expect(full.ask(() => Promise.resolve(long))).rejects.toMatchObject({
      code: "quota_exceeded",
      message: expect.stringMatching(/above 16 KiB at most 10,000 are kept/),
    });
    expect(full.calls).not.toContain("commit");
    expect(await full.callsOf(full.ask())).toEqual([reply, ["prepare", "run", ...all]]);
  });
});
