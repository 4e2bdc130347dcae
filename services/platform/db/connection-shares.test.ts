import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { ConnectionShares } from "./connection-shares.ts";

const WAIT_MS = 1_000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

async function enteredInOrder(shares: ConnectionShares, names: readonly string[]) {
  const entered: string[] = [];
  for (const name of names) void shares.enter("orders").then(() => entered.push(name));
  await jest.advanceTimersByTimeAsync(0);
  return entered;
}

describe("ConnectionShares", () => {
  it("admits a kind up to its share, then whoever has waited longest as others leave", async () => {
    const shares = new ConnectionShares({ most: 2, waitMs: WAIT_MS });
    const entered = await enteredInOrder(shares, ["a", "b", "c", "d"]);
    expect(entered).toEqual(["a", "b"]);
    expect(shares.hasRoom("orders")).toBe(false);
    expect(shares.waitingCount).toBe(2);
    shares.leave("orders");
    await jest.advanceTimersByTimeAsync(0);
    expect(entered).toEqual(["a", "b", "c"]);
  });

  it("lets another kind in while one has used its share", async () => {
    const shares = new ConnectionShares({ most: 1, waitMs: WAIT_MS });
    await shares.enter("orders");
    expect(shares.hasRoom("endpoints")).toBe(true);
    await expect(shares.enter("endpoints")).resolves.toBeUndefined();
  });

  it("refuses whoever has waited too long, and gives the next connection to those behind", async () => {
    const shares = new ConnectionShares({ most: 1, waitMs: WAIT_MS });
    await shares.enter("orders");
    const late = expect(shares.enter("orders")).rejects.toMatchObject({
      code: "database_unavailable",
      message: "All connections for orders are in use.",
      retryable: true,
    });
    await jest.advanceTimersByTimeAsync(WAIT_MS / 2);
    const entered = await enteredInOrder(shares, ["behind"]);
    await jest.advanceTimersByTimeAsync(WAIT_MS / 2);
    await late;
    shares.leave("orders");
    await jest.advanceTimersByTimeAsync(0);
    expect(entered).toEqual(["behind"]);
  });

  it("has room again, and keeps nothing, when all have left", async () => {
    const shares = new ConnectionShares({ most: 1, waitMs: WAIT_MS });
    await shares.enter("orders");
    shares.leave("orders");
    expect(shares.hasRoom("orders")).toBe(true);
    await expect(shares.enter("orders")).resolves.toBeUndefined();
  });
});
