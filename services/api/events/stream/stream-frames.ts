import { HEARTBEAT, OPENING } from "../../../platform/http/routing/event-stream.ts";
import type { FeedTail } from "./feed-tail.ts";

export interface StreamOptions {
  readonly tail: FeedTail;
  readonly accountId: string;
  /** The position in the feed after which the reader continues. */
  readonly after: number;
  readonly heartbeatMs: number;
  /** Ends the stream: the client disconnected, its key was revoked, or the service stops. */
  readonly signal: AbortSignal;
}

/** Yields every event after the reader's position in order, as fast as the reader takes them, and heartbeats in between. */
export async function* streamFrames(options: StreamOptions): AsyncGenerator<string, void> {
  const { heartbeatMs, signal } = options;
  let { after } = options;
  const follower = options.tail.follow(options.accountId);
  try {
    yield OPENING;
    for (;;) {
      const frames = await follower.next(after, { ms: heartbeatMs, signal });
      if (signal.aborted) return;
      const last = frames.at(-1);
      if (last === undefined) {
        yield HEARTBEAT;
        continue;
      }
      after = last.seq;
      yield frames.map((frame) => frame.text).join("");
    }
  } finally {
    follower.close();
  }
}
