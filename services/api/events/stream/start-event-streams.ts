import { findUsableKeys } from "../../../domain/account/store/api-keys.ts";
import type { ConnectionOptions } from "../../../platform/db/pool.ts";
import { SessionLocks } from "../../../platform/db/session-locks.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import type { Logger } from "../../../platform/logger.ts";
import { startPeriodic } from "../../../platform/periodic.ts";
import { FeedTail } from "./feed-tail.ts";
import { OpenStreams } from "./open-streams.ts";

export const STREAMS_PER_ACCOUNT = 5;
/** How soon an open stream ends after its key was revoked or its account suspended. */
const CHECK_MS = 1_000;

export interface EventStreams {
  readonly tail: FeedTail;
  readonly streams: OpenStreams;
  /** Ends all streams, so that the HTTP server can stop. */
  stop(): Promise<void>;
}

export interface EventStreamOptions {
  readonly db: Queryable;
  /** For the one connection that holds the slots of all streams of the process. */
  readonly connection: ConnectionOptions;
  readonly log: Logger;
}

export function startEventStreams({ db, connection, log }: EventStreamOptions): EventStreams {
  const slots = new SessionLocks({ ...connection, log, onLost: () => streams.endAll() });
  const streams = new OpenStreams({
    limit: STREAMS_PER_ACCOUNT,
    takeFirst: (names) => slots.takeFirst(names),
    log,
  });
  // By itself: slots that wait for a busy pool would be lost.
  const holding = startPeriodic({
    name: "check of the slots of open streams",
    everyMs: CHECK_MS,
    run: () => slots.check(),
    log,
  });
  const checks = startPeriodic({
    name: "check of the keys of open streams",
    everyMs: CHECK_MS,
    run: async () => {
      const keyIds = streams.keyIds();
      if (keyIds.length === 0) return;
      const usable = await findUsableKeys(db, keyIds);
      // Only the keys that were checked: streams opened in the meantime were not among them.
      streams.endOf(new Set(keyIds.filter((keyId) => !usable.has(keyId))));
    },
    log,
  });
  return {
    tail: new FeedTail({ db, log }),
    streams,
    stop: async () => {
      streams.stop();
      await Promise.all([holding.stop(), checks.stop()]);
      await slots.stop();
    },
  };
}
