import pg from "pg";
import type { ReplicationClientConfig } from "pg-logical-replication";
import { connectionSettings, type ConnectionOptions } from "./pool.ts";

/** The server ends a reader of which it hears nothing for so long. */
export const SILENT_READER_MS = 5_000;

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
  const {
    statement_timeout: _statement,
    query_timeout: _query,
    lock_timeout: _lock,
    idle_in_transaction_session_timeout: _idle,
    ...connection
  } = connectionSettings({ ...options, settings });
  const config: ReplicationClientConfig = { ...connection, replication: "database" };
  return new pg.Client(config);
}
