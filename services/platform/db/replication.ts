import pg from "pg";
import type { ReplicationClientConfig } from "pg-logical-replication";
import { connectionSettings, type ConnectionOptions } from "./pool.ts";

/** The server ends a reader of which it hears nothing for so long. */
const SILENT_READER_MS = 5_000;

const UNLIMITED = {
  statement_timeout: false,
  query_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
} as const;

/**
 * A connection on which the log of its database can be read, with the rights of its login: it can assume no role for that.
 * Nothing on it is limited in time.
 */
export function replicationClient(options: Omit<ConnectionOptions, "role">): pg.Client {
  const settings = [
    ...(options.settings ?? []),
    `wal_sender_timeout=${SILENT_READER_MS}`,
    "statement_timeout=0",
    "lock_timeout=0",
    "idle_in_transaction_session_timeout=0",
  ];
  const config: ReplicationClientConfig = {
    ...connectionSettings({ ...options, settings }),
    ...UNLIMITED,
    replication: "database",
  };
  return new pg.Client(config);
}
