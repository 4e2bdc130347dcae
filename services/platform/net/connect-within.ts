import type { LookupAddress } from "node:dns";
import { errors, type buildConnector } from "undici";

/** A host whose addresses may all be connected to. */
export interface VettedTarget {
  readonly target: buildConnector.Options;
  readonly addresses: readonly LookupAddress[];
  readonly signal: AbortSignal;
}

export type OpenVetted = (target: VettedTarget, callback: buildConnector.Callback) => void;

/** Opens a connection; what it still does once the signal is aborted is in vain. */
export type ConnectWithin = (signal: AbortSignal, callback: buildConnector.Callback) => void;

/**
 * Gives name, connection and TLS one deadline together: then the callback gets a `ConnectTimeoutError`, and a connection
 * that comes after it is closed.
 */
export function connectWithin(
  timeoutMs: number,
  connect: ConnectWithin,
  callback: buildConnector.Callback,
): void {
  const limit = new AbortController();
  let isOver = false;
  const end: buildConnector.Callback = (...[error, socket]) => {
    clearTimeout(timer);
    if (isOver) {
      socket?.destroy();
      return;
    }
    isOver = true;
    if (error === null) callback(null, socket);
    else callback(error, null);
  };
  const timer = setTimeout(() => {
    const late = new errors.ConnectTimeoutError("no connection in time");
    limit.abort(late);
    // After the abort's own outcome: only a tunnel knows whether its proxy was reached.
    setImmediate(() => end(late, null));
  }, timeoutMs);
  connect(limit.signal, end);
}
