import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { AppError } from "../../errors.ts";
import type { Reply } from "../routing/reply.ts";

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
