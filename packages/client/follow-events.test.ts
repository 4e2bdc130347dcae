import { afterEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Caller } from "./caller.ts";
import { ApiError, ConnectionError } from "./errors.ts";
import {
  apiEventSource,
  followEvents,
  SseParser,
  type EventSource,
  type FollowOptions,
  type PortingEvent,
} from "./feed.ts";

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

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function sourceOf(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return apiEventSource(new Caller({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "k" }));
}

describe("the live stream of the API", () => {
  it("yields the events of its messages", async () => {
    const source = await sourceOf((response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
      response.end(': hi\n\nid: 1\nevent: x\ndata: {"id":"1"}\n\n');
    });
    const { events } = await source.open(null);
    const ids: string[] = [];
    for await (const { id } of events) ids.push(id);
    expect(ids).toEqual(["1"]);
  });

  it("is not a page that another server answers, which would be opened again for ever", async () => {
    const source = await sourceOf((response) => {
      response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Welcome</h1>");
    });
    await expect(source.open("1")).rejects.toThrow("not an event stream: it is text/html");
  });
});

const TEXT =
  'retry: 2000\n\nid: 1\nevent: loa.signed\ndata: {"a":"b: c"}\n\n:\n\nid: 2\r\nevent: x\r\ndata:1\r\ndata: 2\r\n\r\n';

const MESSAGES = [
  { id: "1", event: "loa.signed", data: '{"a":"b: c"}' },
  { id: "2", event: "x", data: "1\n2" },
];

describe("the messages of a stream", () => {
  it("are the same however the text is cut into pieces; heartbeats are none", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(TEXT.length)), (places) => {
        const cuts = [0, ...places.toSorted((a, b) => a - b), TEXT.length];
        const parser = new SseParser();
        const found = cuts.flatMap((at, n) => parser.push(TEXT.slice(at, cuts[n + 1] ?? at)));
        expect(found).toEqual(MESSAGES);
      }),
    );
  });

  it("that were cut off are not yielded", () => {
    expect(new SseParser().push("id: 3\ndata: half\n")).toEqual([]);
  });
});
