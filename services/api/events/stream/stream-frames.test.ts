import { describe, expect, it } from "@jest/globals";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { createLogger } from "../../../platform/logger.ts";
import { FeedTail, OpenStreams } from "./event-streams.ts";
import { streamFrames } from "./routes.ts";

const log = createLogger("test", "silent");
const ACCOUNT = "account";
const PIECES = 20;

/** A database without events. */
const db = {
  query: () => Promise.resolve({ rows: [] }),
} as unknown as Queryable;

describe("a stream", () => {
  // Each wait used to leave two listeners on the stream's signal until the stream ended.
  it("leaves no listeners on its signal, however long it lasts", async () => {
    const { signal } = new AbortController();
    const tail = new FeedTail({ db, log });
    const frames = streamFrames({ tail, accountId: ACCOUNT, after: 0, heartbeatMs: 1, signal });
    for (let n = 0; n < PIECES; n += 1) await frames.next();
    await frames.return();
    const held = Object.getOwnPropertySymbols(signal)
      .map((name) => Reflect.get(signal, name) as unknown)
      .map((value) =>
        typeof value === "object" && value !== null && "size" in value ? value.size : 0,
      );
    expect(held.every((size) => size === 0)).toBe(true);
  });

  it("opened while keys were being checked is not ended with those of revoked keys", async () => {
    const release = () => Promise.resolve();
    const takeFirst = ([name = ""]: readonly string[]) => Promise.resolve({ name, release });
    const streams = new OpenStreams({ limit: 5, takeFirst, log });
    const open = (keyId: string) => streams.open({ accountId: ACCOUNT, keyId, suspended: false });
    const revoked = await open("revoked");
    const asked = streams.keyIds();
    const meanwhile = await open("new");
    streams.endOf(new Set(asked));
    expect([revoked.signal.aborted, meanwhile.signal.aborted]).toEqual([true, false]);
  });
});
