import { z } from "zod";
import { SENT_EVENTS, type SentEventType } from "../../../messages/events.ts";
import { newEvent } from "./new-event.ts";
import { serializeEvent } from "./serialize-event.ts";

export interface SampleEnvelope {
  /** A version 7 UUID whose time is `at`. */
  readonly id: string;
  readonly accountId: string;
  readonly at: Date;
}

/** The webhook body of a sample event of this type; its order, numbers and port-out do not exist. */
export function sampleBody(type: SentEventType, { id, accountId, at }: SampleEnvelope): Buffer {
  const event = newEvent(type, SENT_EVENTS[type].sample(at.getTime()), {
    id,
    account_id: accountId,
    order_id: null,
    sequence_key: id,
    order_sequence: null,
    created_at: at,
    context: null,
  });
  return serializeEvent(event, type);
}

const EXAMPLE: SampleEnvelope = {
  id: "0198c0de-0000-7000-8000-000000000001",
  accountId: "0198c0de-0000-7000-8000-000000000002",
  at: new Date("2026-03-02T14:00:00.000Z"),
};
const shownBody = z.record(z.string(), z.unknown());

/** A sample body as an object for the OpenAPI document; it never changes. */
export function exampleEvent(type: SentEventType): z.output<typeof shownBody> {
  return shownBody.parse(JSON.parse(sampleBody(type, EXAMPLE).toString()));
}
