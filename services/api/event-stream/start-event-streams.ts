import { findUsableKeys } from "../../domain/account/api-key-store.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic } from "../../platform/periodic.ts";
import { FeedTail } from "./feed-tail.ts";
import { OpenStreams } from "./open-streams.ts";

const STREAMS_PER_ACCOUNT = 5;
/** How soon an open stream ends after its key was revoked or its account suspended. */
const KEYS_CHECK_MS = 1_000;

export interface EventStreams {
  readonly tail: FeedTail;
  readonly streams: OpenStreams;
  /** Ends every stream, so that the listener can stop. */
  stop(): Promise<void>;
}

export function startEventStreams(db: Queryable, log: Logger): EventStreams {
  const streams = new OpenStreams(STREAMS_PER_ACCOUNT);
  const keys = startPeriodic({
    name: "the keys of open streams",
    everyMs: KEYS_CHECK_MS,
    run: async () => {
      const keyIds = streams.keyIds();
      if (keyIds.length > 0) streams.keepOnly(await findUsableKeys(db, keyIds));
    },
    log,
  });
  return {
    tail: new FeedTail({ db, log }),
    streams,
    stop: async () => {
      streams.stop();
      await keys.stop();
    },
  };
}
