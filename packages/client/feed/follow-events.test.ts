import { describe, expect, it } from "@jest/globals";
import { ApiError, ConnectionError } from "../errors.ts";
import { followEvents, type EventSource, type FollowOptions } from "./follow-events.ts";
import type { PortingEvent } from "./porting-event.ts";

const event = (id: string): PortingEvent => ({ id }) as PortingEvent;

function refused(status: number, code: string): ApiError {
  const problem = { type: "x", title: code, status, detail: code, code, request_id: "r" };
  return new ApiError(problem, 0);
}

/** A feed whose stream is cut after `perStream` events, and whose server may fail to open it. */
class Feed implements EventSource {
  readonly ids: string[];
  readonly opened: (string | null)[] = [];
  closed = 0;
  perStream = Infinity;
  failures: Error[] = [];
  cut: Error | null = new ConnectionError("cut");
  /** Runs as the stream is opened: what happens at that moment. */
  atOpening: () => void = () => undefined;

  constructor(...ids: string[]) {
    this.ids = ids;
  }

  newest = () => Promise.resolve(this.#at(-1));
  oldest = () => Promise.resolve(this.#at(0));

  open = (after: string | null) => {
    this.opened.push(after);
    const failure = this.failures.shift();
    if (failure !== undefined) return Promise.reject(failure);
    const from = after === null ? this.ids.length : this.ids.indexOf(after) + 1;
    this.atOpening();
    const close = () => {
      this.closed += 1;
      return Promise.resolve();
    };
    return Promise.resolve({ events: this.#stream(from), close });
  };

  #at(n: number): PortingEvent | null {
    const id = this.ids.at(n);
    return id === undefined ? null : event(id);
  }

  async *#stream(from: number): AsyncGenerator<PortingEvent, void> {
    const part = this.ids.slice(from, from + this.perStream);
    for (const id of part) yield await Promise.resolve(event(id));
    if (this.cut !== null) throw this.cut;
  }
}

async function idsOf(feed: Feed, count: number, options: FollowOptions = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of followEvents(feed, options)) {
    ids.push(id);
    if (ids.length === count) break;
  }
  return ids;
}

describe("following the events", () => {
  it("yields each once and in order, though the stream is cut again and again", async () => {
    const feed = new Feed("a", "b", "c", "d", "e");
    feed.perStream = 2;
    feed.cut = null;
    const cuts: unknown[] = [];
    const options = { startingAfter: "a", onCut: (reason: unknown) => cuts.push(reason) };
    expect(await idsOf(feed, 4, options)).toEqual(["b", "c", "d", "e"]);
    expect(feed.opened).toEqual(["a", "c"]);
    expect(cuts).toEqual([null]);
  });

  it("begins with what comes after now", async () => {
    const feed = new Feed("a", "b");
    feed.atOpening = () => feed.ids.push("c");
    expect(await idsOf(feed, 1)).toEqual(["c"]);
    expect(feed.opened).toEqual(["b"]);
  });

  it("begins with the first event where it is asked to", async () => {
    const feed = new Feed("a", "b", "c");
    expect(await idsOf(feed, 3, { startingAfter: null })).toEqual(["a", "b", "c"]);
    expect(feed.opened).toEqual(["a"]);
  });

  it("misses nothing that comes to an empty feed as its stream is opened, and closes that stream", async () => {
    const feed = new Feed();
    feed.atOpening = () => {
      if (feed.ids.length === 0) feed.ids.push("a", "b");
    };
    // What the first stream would have sent is not read: the second one has it.
    expect(await idsOf(feed, 2)).toEqual(["a", "b"]);
    expect(feed.opened).toEqual([null, "a"]);
    expect(feed.closed).toBe(1);
  });

  it("goes on when the API is away after it was there", async () => {
    const feed = new Feed("a", "b", "c");
    feed.perStream = 1;
    feed.cut = null;
    feed.atOpening = () => {
      if (feed.opened.length === 1) feed.failures = [new ConnectionError("away")];
    };
    expect(await idsOf(feed, 2, { startingAfter: "a" })).toEqual(["b", "c"]);
    expect(feed.opened).toEqual(["a", "b", "b"]);
  });

  it("throws where it was never open, and where going on cannot help", async () => {
    const away = new Feed("a");
    away.failures = [new ConnectionError("away")];
    await expect(idsOf(away, 1)).rejects.toThrow("away");
    const revoked = new Feed("a", "b");
    revoked.cut = null;
    revoked.atOpening = () => (revoked.failures = [refused(401, "unauthorized")]);
    await expect(idsOf(revoked, 2, { startingAfter: "a" })).rejects.toThrow("unauthorized");
  });

  it("ends without an error where its signal is aborted before the stream is open", async () => {
    const feed = new Feed("a");
    const abort = new AbortController();
    feed.newest = () => {
      abort.abort();
      return Promise.reject(new Error("aborted"));
    };
    expect(await idsOf(feed, 1, { signal: abort.signal })).toEqual([]);
  });

  it("yields nothing that came with an event during which its signal was aborted", async () => {
    const feed = new Feed("a", "b", "c");
    const abort = new AbortController();
    const ids: string[] = [];
    for await (const { id } of followEvents(feed, { startingAfter: "a", signal: abort.signal })) {
      ids.push(id);
      abort.abort();
    }
    expect(ids).toEqual(["b"]);
  });

  it("ends with its signal", async () => {
    const feed = new Feed("a", "b");
    const abort = new AbortController();
    const onCut = () => abort.abort();
    const { signal } = abort;
    feed.cut = null;
    expect(await idsOf(feed, 9, { startingAfter: "a", signal, onCut })).toEqual(["b"]);
  });
});
