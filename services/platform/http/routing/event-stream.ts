import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { AppError } from "../../errors.ts";
import type { Reply } from "./reply.ts";

/** How long a client waits before it reconnects, in ms. */
const RECONNECT_MS = 2_000;

/** What every stream of Server-Sent Events begins with. */
export const OPENING = `retry: ${RECONNECT_MS}\n\n`;
/** A comment, which shows proxies and clients that the stream is alive. */
export const HEARTBEAT = ":\n\n";

interface StreamedMessage {
  /** To resume from; without it, a stream cannot be resumed. */
  readonly id?: string;
  readonly type: string;
  readonly data: unknown;
}

/** One Server-Sent Event with its data as JSON, which is one line. */
export function messageFrame({ id, type, data }: StreamedMessage): string {
  const first = id === undefined ? "" : `id: ${id}\n`;
  return `${first}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

const RETRY_AFTER_S = 15;

/** Ends the stream with its client, who may have disconnected while it was being opened. */
export function endWithClient(response: ServerResponse, stream: AbortController): void {
  if (response.destroyed) stream.abort();
  else response.once("close", () => stream.abort());
}

/** Frames as Server-Sent Events, made as fast as the client reads them. */
export function streamReply(frames: AsyncGenerator<string, void>): Reply {
  return {
    status: 200,
    headers: { "X-Accel-Buffering": "no" },
    raw: { type: "text/event-stream", content: Readable.from(frames, { objectMode: false }) },
  };
}

/** A stream that may not be opened now. */
export function refuseStream(code: "rate_limited" | "unavailable", detail: string): AppError {
  return new AppError(code, detail, { headers: { "Retry-After": String(RETRY_AFTER_S) } });
}
