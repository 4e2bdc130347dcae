import { setTimeout as pause } from "node:timers/promises";
import { askedDelayMs, backoffMs, isPassing, type Caller } from "./caller.ts";
import { ConnectionError, unexpectedAnswer } from "./errors.ts";
import type { Event, Webhooks } from "./generated/api-types.ts";

const LONGEST_WAIT_MS = 3_600_000;

/** A live stream that is open. */
export interface OpenStream {
  readonly events: AsyncIterable<PortingEvent>;
  /** Ends a stream that is not read to its end. */
  close(): Promise<void>;
}

/** Where events are read from: the API's feed and its live stream. */
export interface EventSource {
  /** The newest event of the feed, or the oldest; null where it is empty. */
  newest(): Promise<PortingEvent | null>;
  oldest(): Promise<PortingEvent | null>;
  /** Opens the stream after an event, or from now on; resolves when the server has taken the position. */
  open(after: string | null): Promise<OpenStream>;
}

export interface FollowOptions {
  /** The id of the last event that was handled; null: from the first event of the feed. From now on unless given. */
  readonly startingAfter?: string | null;
  readonly signal?: AbortSignal;
  /** Called when the stream was cut, and each time that it cannot be opened again; null where the server ended it. */
  readonly onCut?: (reason: unknown) => void;
  /** Called when the stream is open, and each time that it is open again. */
  readonly onOpen?: () => void;
}

/**
 * Yields every event after the position, in order and once, and goes on where it was after a cut, for as long as it
 * takes. Only what cannot pass ends it, such as a revoked key; before the stream was open once, any fault does.
 */
export async function* followEvents(
  source: EventSource,
  options: FollowOptions = {},
): AsyncGenerator<PortingEvent, void> {
  const { signal, onCut, onOpen, startingAfter } = options;
  let after = startingAfter;
  let wasOpen = false;
  for (let failed = 0; !isAborted(signal);) {
    let reason: unknown = null;
    try {
      if (after === undefined) after = (await source.newest())?.id ?? null;
      const stream = await openAfter(source, after);
      if ("first" in stream) {
        after = stream.first.id;
        yield stream.first;
        continue;
      }
      wasOpen = true;
      onOpen?.();
      for await (const event of stream.events) {
        if (isAborted(signal)) return;
        failed = 0;
        after = event.id;
        yield event;
      }
    } catch (error) {
      if (isAborted(signal)) return;
      if (!wasOpen || !isPassing(error)) throw error;
      reason = error;
    }
    if (isAborted(signal)) return;
    onCut?.(reason);
    failed += 1;
    await waitFor(delayMs(reason, failed), signal);
  }
}

/** A call, because an aborted signal is not seen by the compiler's flow analysis. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/**
 * A stream without a position begins with what comes after its opening, so the feed is asked for its first event before
 * and after: where there is one, it is the position to open the stream after.
 */
async function openAfter(
  source: EventSource,
  after: string | null,
): Promise<OpenStream | { readonly first: PortingEvent }> {
  if (after !== null) return source.open(after);
  const before = await source.oldest();
  if (before !== null) return { first: before };
  const stream = await source.open(null);
  const meanwhile = await source.oldest();
  if (meanwhile === null) return stream;
  await stream.close();
  return { first: meanwhile };
}

/** A stream that the server ended, as at a restart, is opened again at once; only what fails again waits. */
function delayMs(reason: unknown, failed: number): number {
  if (reason === null && failed === 1) return 0;
  const askedMs = Math.min(askedDelayMs(reason), LONGEST_WAIT_MS);
  return Math.max(askedMs, backoffMs({ failed, random: Math.random }));
}

/** Returns early when the signal is aborted. */
async function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, signal && { signal }).catch(() => undefined);
}

const FEED = "/v2/porting/events";
/** Three heartbeats. */
const IDLE_MS = 45_000;

/** The feed and the live stream of an account. */
export function apiEventSource(caller: Caller, signal?: AbortSignal): EventSource {
  const options = signal && { signal };
  const end = async (order: "asc" | "desc"): Promise<PortingEvent | null> => {
    const query = { order, limit: 1 };
    const { data } = await caller
      .list<PortingEvent>({ method: "GET", path: FEED, query }, options)
      .first();
    return data[0] ?? null;
  };
  return {
    newest: () => end("desc"),
    oldest: () => end("asc"),
    open: (after) => {
      const headers = {
        Accept: "text/event-stream",
        ...(after === null ? {} : { "Last-Event-ID": after }),
      };
      const request = { method: "GET", path: `${FEED}/stream`, headers };
      return caller.send(request, options, openStream);
    },
  };
}

async function openStream(response: Response): Promise<OpenStream> {
  const { body, headers } = response;
  const isStream = /^text\/event-stream\b/i.test(headers.get("Content-Type") ?? "");
  if (isStream && body !== null) {
    return { events: eventsOf(body), close: () => body.cancel().catch(() => undefined) };
  }
  await body?.cancel();
  throw unexpectedAnswer(response, "an event stream");
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<PortingEvent, void> {
  for await (const { data } of streamMessages(body, IDLE_MS)) {
    yield JSON.parse(data) as PortingEvent;
  }
}

/**
 * The messages of a stream, until the server ends it. The server sends something every 15 s at least.
 * @throws ConnectionError if the stream is cut, or nothing came for `idleMs`
 */
async function* streamMessages(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<SseMessage, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new SseParser();
  try {
    for (;;) {
      const { done, value } = await within(idleMs, reader.read());
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function within<T>(idleMs: number, read: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ConnectionError(`The stream was silent for ${idleMs} ms.`));
    }, idleMs);
  });
  try {
    return await Promise.race([read, silence]);
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    throw new ConnectionError("The stream was cut.", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** One message of a stream of Server-Sent Events. */
export interface SseMessage {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Takes a stream of Server-Sent Events apart, whose text arrives in pieces of any size. */
export class SseParser {
  #rest = "";
  #id: string | null = null;
  #event = "";
  #data: string[] = [];

  /** The messages that are whole with this piece. */
  push(piece: string): SseMessage[] {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop() ?? "";
    const messages: SseMessage[] = [];
    for (const line of lines) {
      const message = this.#take(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (message !== null) messages.push(message);
    }
    return messages;
  }

  #take(line: string): SseMessage | null {
    if (line === "") return this.#finish();
    const at = line.indexOf(":");
    const name = at === -1 ? line : line.slice(0, at);
    const value = at === -1 ? "" : line.slice(at + 1).replace(/^ /, "");
    if (name === "id") this.#id = value;
    else if (name === "event") this.#event = value;
    else if (name === "data") this.#data.push(value);
    return null;
  }

  /** An empty line ends a message; without data, as after a heartbeat, there is none. */
  #finish(): SseMessage | null {
    const message = { id: this.#id, event: this.#event, data: this.#data.join("\n") };
    const isMessage = this.#data.length > 0;
    this.#id = null;
    this.#event = "";
    this.#data = [];
    return isMessage ? message : null;
  }
}

/** The name of an event type that this version of the client knows. */
export type EventName = keyof Webhooks;

type EventOf<Name extends EventName> = Omit<Event, "type" | "payload"> & {
  readonly type: Name;
  readonly payload: Webhooks[Name]["payload"];
};

/**
 * An event of the feed, whose `type` determines its `payload`. A later version of the API may send types that are not among
 * these, so a `switch` needs a `default` that goes on.
 */
export type PortingEvent = { readonly [Name in EventName]: EventOf<Name> }[EventName];

/** The body of a webhook, whose `type` determines its `payload`; later versions may send other types. */
export type WebhookEvent = Webhooks[EventName];
