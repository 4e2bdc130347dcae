import { presentEvent, type StoredEvent } from "../../../domain/event/rules/stored-event.ts";

/** How long a client waits before it reconnects, in ms. */
const RECONNECT_MS = 2_000;

export const OPENING = `retry: ${RECONNECT_MS}\n\n`;
export const HEARTBEAT = ":\n\n";

/** One Server-Sent Event: the id to resume from, the type, and the event as the API shows it on one line. */
export function eventFrame(event: StoredEvent): string {
  const view = presentEvent(event);
  return `id: ${view.id}\nevent: ${view.type}\ndata: ${JSON.stringify(view)}\n\n`;
}
