/** How long a client waits before it reconnects, in ms. */
const RECONNECT_MS = 2_000;

/** What every stream of Server-Sent Events begins with. */
export const OPENING = `retry: ${RECONNECT_MS}\n\n`;
/** A comment, which shows proxies and clients that the stream is alive. */
export const HEARTBEAT = ":\n\n";

export interface StreamedMessage {
  /** To resume from; without it, a stream cannot be resumed. */
  readonly id?: string;
  readonly type: string;
  readonly data: unknown;
}

/** One Server-Sent Event with its data as JSON, which is one line. */
export function messageFrame({ id, type, data }: StreamedMessage): string {
  const first = id === undefined ? "" : `id: ${id}\n`;
  return `${first}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
