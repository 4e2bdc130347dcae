import { describe, expect, it } from "@jest/globals";

import { Lane } from "./lane.ts";

const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `d${n}`);

function drain(lane: Lane): string[] {
  const taken: string[] = [];
  for (let id = lane.take(); id !== null; id = lane.take()) taken.push(id);
  return taken;
}

describe("a lane", () => {
  it("hands out what it was offered, in order", () => {
    const lane = new Lane("k");
    lane.offer(["a", "b"]);
    lane.offer(["c"]);
    expect(drain(lane)).toEqual(["a", "b", "c"]);
    expect(lane.isIdle).toBe(true);
  });

  it("leaves in Postgres what is too much, and fetches it when its queue is empty", () => {
    const lane = new Lane("k");
    lane.offer(ids(150));
    lane.offer(ids(100));
    expect(lane.queued).toBe(150);
    expect(lane.wantsFetch).toBe(false);
    drain(lane);
    expect(lane.wantsFetch).toBe(true);
    lane.beginFetch();
    lane.endFetch(["x"], true);
    expect(drain(lane)).toEqual(["x"]);
    expect(lane.isIdle).toBe(true);
  });

  it("fetches once more where something was offered during a fetch", () => {
    const lane = new Lane("k");
    lane.wake();
    lane.beginFetch();
    lane.offer(["late"]);
    lane.endFetch([], true);
    expect(lane.wantsFetch).toBe(true);
  });

  it("goes on fetching while more was left behind", () => {
    const lane = new Lane("k");
    lane.wake();
    lane.beginFetch();
    lane.endFetch(["a"], false);
    drain(lane);
    expect(lane.wantsFetch).toBe(true);
  });

  it("is not woken while it has enough to do", () => {
    const lane = new Lane("k");
    lane.offer(["a"]);
    lane.wake();
    drain(lane);
    expect(lane.wantsFetch).toBe(false);
  });
});
