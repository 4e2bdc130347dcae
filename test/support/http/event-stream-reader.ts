/** One Server-Sent Event as received. */
export interface StreamedEvent {
  /** Empty for a stream that cannot be resumed. */
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  /** `performance.now()` when its last byte was read. */
  readonly at: number;
}

export interface EventStreamReader {
  readonly status: number;
  readonly events: readonly StreamedEvent[];
  readonly heartbeats: () => number;
  /** Resolves when the server has ended the stream, or `stop` was called. */
  readonly ended: Promise<void>;
  stop(): void;
}

interface ReaderOptions {
  /** Absent where the headers have a session's cookie. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onEvent?: (event: StreamedEvent) => void;
}

function parse(frame: string): StreamedEvent | null {
  const fields = new Map(
    frame.split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const [id = "", type, data] = [fields.get("id"), fields.get("event"), fields.get("data")];
  if (type === undefined || data === undefined) return null;
  return { id, type, data: JSON.parse(data) as unknown, at: performance.now() };
}

/** Reads a live stream until it ends or is stopped; an answer that is not a stream has no events. */
export async function readEventStream(
  url: string,
  { key, headers = {}, onEvent }: ReaderOptions = {},
): Promise<EventStreamReader> {
  const abort = new AbortController();
  const response = await fetch(url, {
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      Accept: "text/event-stream",
      ...headers,
    },
    signal: abort.signal,
  });
  const events: StreamedEvent[] = [];
  let heartbeats = 0;
  const read = async (): Promise<void> => {
    if (response.status !== 200 || response.body === null) return;
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        if (frame === ":") heartbeats += 1;
        const event = parse(frame);
        if (event === null) continue;
        events.push(event);
        onEvent?.(event);
      }
    }
  };
  return {
    status: response.status,
    events,
    heartbeats: () => heartbeats,
    ended: read().catch(() => undefined),
    stop: () => {
      abort.abort();
    },
  };
}
