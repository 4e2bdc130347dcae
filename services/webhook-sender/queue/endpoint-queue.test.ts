import { describe, expect, it } from "@jest/globals";
import { Lane } from "./endpoint-queue.ts";
import { PRIORITIES, type Priority } from "./priority.ts";

const { first, retry, recovery } = PRIORITIES;
const MANY = Array.from({ length: 100 }, (_, n) => String(n));

function laneWith(...priorities: Priority[]): Lane {
  const lane = new Lane("k");
  lane.facts = { accountId: "a", host: "h" };
  for (const priority of priorities) lane.line(priority).offer(MANY);
  return lane;
}

/** The priorities of the next starts, each of which ends at once. */
function starts(lane: Lane, count: number, lowest: Priority = recovery): (Priority | undefined)[] {
  return Array.from({ length: count }, () => {
    const taken = lane.take(lowest);
    if (taken === null) return undefined;
    lane.window.cancel();
    lane.ended(taken.priority);
    return taken.priority;
  });
}

describe("a lane", () => {
  it("starts one alone while nothing is known of it", () => {
    const lane = new Lane("k");
    lane.line(first).offer(["a", "b"]);
    expect(lane.room).toBe(1);
    lane.take(first);
    expect(lane.room).toBe(0);
    lane.facts = { accountId: "a", host: "h" };
    expect(lane.room).toBe(7);
  });

  it("keeps a quarter of its starts for what comes after first attempts", () => {
    expect(starts(laneWith(first, retry), 8)).toEqual([0, 0, 0, 1, 0, 0, 0, 1]);
    expect(starts(laneWith(first, recovery), 4)).toEqual([0, 0, 0, 2]);
    const all = starts(laneWith(first, retry, recovery), 32);
    expect([0, 1, 2].map((one) => all.filter((priority) => priority === one).length)).toEqual([
      24, 6, 2,
    ]);
  });

  it("gives all of itself to what there is", () => {
    expect(starts(laneWith(retry), 5)).toEqual([1, 1, 1, 1, 1]);
    expect(starts(laneWith(first), 5)).toEqual([0, 0, 0, 0, 0]);
  });

  it("lets recovery leave a quarter of its window free, and hold none where it is not wanted", () => {
    const lane = laneWith(recovery);
    expect(lane.take(retry)).toBeNull();
    for (let n = 0; n < 6; n += 1) expect(lane.take(recovery)?.id).toBe(String(n));
    expect(lane.take(recovery)).toBeNull();
    expect(lane.canWork).toBe(false);
    lane.line(first).offer(["urgent"]);
    expect(lane.take(recovery)).toEqual({ id: "urgent", priority: first });
    lane.window.cancel();
    lane.ended(recovery);
    expect(lane.take(recovery)).toEqual({ id: "6", priority: recovery });
  });

  it("asks for the lines that run short, and for those alone", () => {
    const lane = laneWith(first);
    lane.line(retry).wake();
    expect(lane.hungry).toEqual([retry]);
    lane.line(retry).beginFetch();
    expect(lane.hungry).toEqual([]);
    expect(lane.isIdle).toBe(false);
  });
});
