import type { Pool } from "pg";
import { createPool, LOOKUPS_BY_KEY, type PoolOptions } from "../../platform/db/pool.ts";
import type { OutboxMessage } from "./outbox-message.ts";
import {
  deferTopic,
  endDeferral,
  readDeferred,
  type DeferredTopic,
  readWaiting,
  type OnPage,
} from "./store/deferral-notes.ts";
import { areShown } from "./store/shown-transactions.ts";
import { setAside, writeHandled, type Handled, type SetAside } from "./store/sent-messages.ts";
import { makeSlot, readSlot } from "./store/slot.ts";
import { openOutboxStream } from "./stream/outbox-stream.ts";

export type RelayConnection = Pick<PoolOptions, "url" | "role" | "service" | "log">;

const POOL_SIZE = 4;
/** To find the first page of a topic in a table of days. */
const SCAN_MS = 600_000;

/** Connections whose plans do not depend on statistics. */
export function createRelayPool(connection: RelayConnection, statementTimeoutMs?: number) {
  const sizes =
    statementTimeoutMs === undefined ? { size: POOL_SIZE } : { size: 1, statementTimeoutMs };
  return createPool({ ...connection, settings: LOOKUPS_BY_KEY, ...sizes });
}

/** What the relay asks of the database. */
export type RelayDatabase = ReturnType<typeof openRelayDatabase>;

/** `url` is that of a login that may replicate, past any pooler; `signal` ends the wait for a slot. */
export function openRelayDatabase(
  pool: Pool,
  connection: RelayConnection,
  { url, signal }: { readonly url: string; readonly signal: AbortSignal },
) {
  const { service } = connection;
  const scanning = createRelayPool(connection, SCAN_MS);
  return {
    readSlot: () => readSlot(pool),
    /** Notes what may be missed, and makes the slot; `isGone` also one that looks as if it could be read. */
    makeSlot: (isGone: boolean) =>
      makeSlot(pool, { url, service: `${service}-slot` }, signal, isGone),
    openStream: (slot: string) => openOutboxStream({ url, service: `${service}-stream` }, slot),
    readDeferred: () => readDeferred(pool),
    deferTopic: (topic: string, id: number) => deferTopic(pool, topic, id),
    endDeferral: (note: DeferredTopic) => endDeferral(pool, note),
    readWaiting: (note: DeferredTopic, onPage: OnPage) => readWaiting(scanning, note, onPage),
    areShown: (xids: ReadonlySet<number>) => areShown(pool, xids),
    writeHandled: (handled: Handled) => writeHandled(pool, handled),
    setAside: (message: OutboxMessage, cause: SetAside) => setAside(pool, message, cause),
    end: () => scanning.end(),
  };
}
