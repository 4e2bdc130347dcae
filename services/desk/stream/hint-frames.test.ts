import { describe, expect, it } from "@jest/globals";
import { HEARTBEAT, OPENING } from "../../platform/http/routing/event-stream.ts";
import { OpenListeners, type Listener } from "./live-hints.ts";
import { hintFrames } from "./routes.ts";

/** A stream whose hints the test gives itself. */
function openStream(options: { readonly heartbeatMs: number; mayListen?: () => Promise<boolean> }) {
  const listeners = new Set<Listener>();
  const stream = new AbortController();
  const watch = {
    listen: (listener: Listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
  const mayListen = options.mayListen ?? (() => Promise.resolve(true));
  const frames = hintFrames({ watch, stream, ...options, mayListen });
  const hint = (...texts: readonly string[]): void => {
    for (const listener of listeners) listener(texts);
  };
  return { frames, hint, stream, listeners };
}

const NEVER_MS = 60_000;

describe("a stream of hints", () => {
  it("opens at once, and has each hint as soon as it comes", async () => {
    const { frames, hint } = openStream({ heartbeatMs: NEVER_MS });
    expect((await frames.next()).value).toBe(OPENING);
    const next = frames.next();
    hint("a", "b");
    expect((await next).value).toBe("ab");
    await frames.return();
  });

  it("ends at a heartbeat for a reader who may listen no longer, hints or not", async () => {
    const answers = [true, false];
    const mayListen = () => Promise.resolve(answers.shift() ?? false);
    const { frames, hint, listeners } = openStream({ heartbeatMs: 1, mayListen });
    await frames.next();
    const busy = setInterval(() => {
      hint("x");
    }, 0);
    const rest: string[] = [];
    for await (const text of frames) rest.push(text);
    clearInterval(busy);
    expect(rest.filter((text) => text === HEARTBEAT)).toHaveLength(1);
    expect(listeners.size).toBe(0);
  });

  it("is cut for a reader that lets hints gather, which are then dropped", async () => {
    const { frames, hint, stream, listeners } = openStream({ heartbeatMs: NEVER_MS });
    await frames.next();
    hint(...Array<string>(2_000).fill("x"));
    expect(stream.signal.aborted).toBe(false);
    hint("x");
    expect(stream.signal.aborted).toBe(true);
    expect((await frames.next()).done).toBe(true);
    expect(listeners.size).toBe(0);
  });

  it("ends with its client while it waits", async () => {
    const { frames, stream, listeners } = openStream({ heartbeatMs: NEVER_MS });
    await frames.next();
    const next = frames.next();
    stream.abort();
    expect((await next).done).toBe(true);
    expect(listeners.size).toBe(0);
  });
});

describe("the open streams of a process", () => {
  it("are at most ten an operator, and one more for each that ends", () => {
    const listeners = new OpenListeners();
    const own = Array.from({ length: 10 }, () => listeners.open("ada"));
    expect(() => listeners.open("ada")).toThrow(expect.objectContaining({ code: "rate_limited" }));
    expect(listeners.open("bob").signal.aborted).toBe(false);
    own[0]?.abort();
    expect(listeners.open("ada").signal.aborted).toBe(false);
  });

  it("are bounded in all, and end when the service stops", () => {
    const listeners = new OpenListeners();
    const all = Array.from({ length: 500 }, (_, n) => listeners.open(`operator ${n}`));
    expect(() => listeners.open("ada")).toThrow(expect.objectContaining({ code: "unavailable" }));
    listeners.stop();
    expect(all.every(({ signal }) => signal.aborted)).toBe(true);
    expect(() => listeners.open("ada")).toThrow(expect.objectContaining({ code: "unavailable" }));
  });
});
