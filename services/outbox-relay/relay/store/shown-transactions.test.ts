import { describe, expect, it } from "@jest/globals";
import { showsAll } from "./shown-transactions.ts";

const EPOCH = 4_294_967_296n;

describe("a snapshot", () => {
  it.each([
    ["before its oldest", "10:20:10,15", [9], true],
    ["ended since", "10:20:10,15", [9, 11, 19], true],
    ["running", "10:20:10,15", [9, 15], false],
    ["later ones", "10:20:", [20], false],
    ["of none that runs", "20:20:", [19], true],
    ["of the epoch before", `${EPOCH + 5n}:${EPOCH + 8n}:${EPOCH + 5n}`, [-2, 4, 7], true],
    ["of this epoch, running", `${EPOCH + 5n}:${EPOCH + 8n}:${EPOCH + 5n}`, [5], false],
    ["of the next epoch", `${EPOCH - 2n}:${EPOCH - 1n}:`, [1], false],
    ["read as signed numbers", "3000000000:3000000009:3000000004", [3_000_000_005 | 0], true],
    ["running, signed", "3000000000:3000000009:3000000004", [3_000_000_004 | 0], false],
  ])("shows transactions or not: %s", (_, snapshot, xids, shown) => {
    expect(showsAll(snapshot, new Set(xids))).toBe(shown);
  });
});
