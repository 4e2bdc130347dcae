import { describe, expect, it } from "@jest/globals";
import { Backlog } from "./endpoint-queue.ts";

const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `d${n}`);

function drain(backlog: Backlog): string[] {
  const taken: string[] = [];
  for (let id = backlog.take(); id !== null; id = backlog.take()) taken.push(id);
  return taken;
}

describe("a backlog", () => {
  it("returns offered deliveries in order", () => {
    const backlog = new Backlog();
    backlog.offer(["a", "b"]);
    backlog.offer(["c"]);
    expect(drain(backlog)).toEqual(["a", "b", "c"]);
    expect(backlog.isEmpty).toBe(true);
  });

  it("leaves the excess in Postgres, and fetches it when its queue is empty", () => {
    const backlog = new Backlog();
    backlog.offer(ids(150));
    backlog.offer(ids(100));
    expect(backlog.queued).toBe(150);
    expect(backlog.wantsFetch).toBe(false);
    drain(backlog);
    expect(backlog.wantsFetch).toBe(true);
    backlog.beginFetch();
    backlog.endFetch(["x"], true);
    expect(drain(backlog)).toEqual(["x"]);
    expect(backlog.isEmpty).toBe(true);
  });

  it("fetches once more if something was offered during a fetch", () => {
    const backlog = new Backlog();
    backlog.wake();
    backlog.beginFetch();
    backlog.offer(["late"]);
    backlog.endFetch([], true);
    expect(backlog.wantsFetch).toBe(true);
  });

  it("keeps fetching while Postgres holds more", () => {
    const backlog = new Backlog();
    backlog.wake();
    backlog.beginFetch();
    backlog.endFetch(["a"], false);
    drain(backlog);
    expect(backlog.wantsFetch).toBe(true);
  });

  it("is not woken while it has enough to do", () => {
    const backlog = new Backlog();
    backlog.offer(["a"]);
    backlog.wake();
    drain(backlog);
    expect(backlog.wantsFetch).toBe(false);
  });
});
