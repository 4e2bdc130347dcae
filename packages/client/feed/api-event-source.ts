import type { Caller } from "../call/caller.ts";
import { unexpectedAnswer } from "../errors.ts";
import type { EventSource, OpenStream } from "./follow-events.ts";
import type { PortingEvent } from "./porting-event.ts";
import { streamMessages } from "./stream-messages.ts";

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
