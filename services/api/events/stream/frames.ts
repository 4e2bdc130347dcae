import { presentEvent, type StoredEvent } from "../../../domain/event/rules/stored-event.ts";
import { messageFrame } from "../../../platform/http/streams/event-frames.ts";

/** One Server-Sent Event: the id to resume from, the type, and the event as the API shows it on one line. */
export function eventFrame(event: StoredEvent): string {
  const view = presentEvent(event);
  return messageFrame({ id: view.id, type: view.type, data: view });
}
