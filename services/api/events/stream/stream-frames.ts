import type { FeedTail } from "./feed-tail.ts";
import { HEARTBEAT, OPENING } from "./frames.ts";

export interface StreamOptions {
  readonly tail: FeedTail;
  readonly accountId: string;
  /** The place in the feed behind which the reader goes on. */
  readonly after: number;
  readonly heartbeatMs: number;
  /** Ends the stream: the client has gone, its key ended, or the service stops. */
  readonly signal: AbortSignal;
}

/** What a reader is sent: every event behind its place, in order, as fast as it takes them, and heartbeats between. */
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
