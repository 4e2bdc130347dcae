import { findUsableKeys } from "../../../domain/account/store/api-keys.ts";
import type { ConnectionOptions } from "../../../platform/db/pool.ts";
import { SessionLocks } from "../../../platform/db/session-locks.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import type { Logger } from "../../../platform/logger.ts";
import { startPeriodic } from "../../../platform/periodic.ts";
import { FeedTail } from "./feed-tail.ts";
import { OpenStreams } from "./open-streams.ts";

const STREAMS_PER_ACCOUNT = 5;
/** How soon an open stream ends after its key was revoked or its account suspended. */
const CHECK_MS = 1_000;

export interface EventStreams {
  readonly tail: FeedTail;
  readonly streams: OpenStreams;
  /** Ends every stream, so that the listener can stop. */
  stop(): Promise<void>;
}

export interface EventStreamOptions {
  readonly db: Queryable;
  /** For the one connection that holds the places of all streams of the process. */
  readonly connection: ConnectionOptions;
  readonly log: Logger;
}

export function startEventStreams({ db, connection, log }: EventStreamOptions): EventStreams {
  const places = new SessionLocks({ ...connection, log, onLost: () => streams.endAll() });
  const streams = new OpenStreams({
    limit: STREAMS_PER_ACCOUNT,
    takeFirst: (names) => places.takeFirst(names),
    log,
  });
  const checks = startPeriodic({
    name: "the keys and places of open streams",
    everyMs: CHECK_MS,
    run: async () => {
      await places.check();
      const keyIds = streams.keyIds();
      if (keyIds.length === 0) return;
      const usable = await findUsableKeys(db, keyIds);
      // Not all others: a stream that was opened meanwhile was not asked about.
      streams.endOf(new Set(keyIds.filter((keyId) => !usable.has(keyId))));
    },
    log,
  });
  return {
    tail: new FeedTail({ db, log }),
    streams,
    stop: async () => {
      streams.stop();
      await checks.stop();
      await places.stop();
    },
  };
}
