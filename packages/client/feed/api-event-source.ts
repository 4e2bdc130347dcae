import type { Caller } from "../call/caller.ts";
import { ConnectionError, unexpectedAnswer } from "../errors.ts";
import type { EventSource, OpenStream } from "./follow-events.ts";
import type { PortingEvent } from "./porting-event.ts";
import { SseParser, type SseMessage } from "./sse-parser.ts";

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
