import type { EpochMs } from "./epoch-ms.ts";

/** The facts about every event type; a reserved one has no others. */
export interface EventRow {
  /** As worded in the contract (docs/contract/interface-specification.md, Event types). */
  readonly firedWhen: string;
}

/**
 * What events may be ordered by; the payload must contain it, except for the order, which is in the
 * envelope.
 */
type OrderedBy<Payload> =
  | "order"
  | (Payload extends { readonly phone_number: string } ? "phone_number" : never)
  | (Payload extends { readonly port_out: { readonly id: string } } ? "port_out" : never);

/** The facts about a type that is sent. */
export interface SentEventRow<Payload> extends EventRow {
  /**
   * What its `sequence_key` and its key on the topic identify (docs/contract/messages.md, Event
   * envelope).
   */
  readonly orderedBy: OrderedBy<Payload>;
  /** Whether it has an `order_sequence`, drawn under the lock on what it is ordered by. */
  readonly isNumbered: boolean;
  /** Fields, as `Record.field`, that JSON omits if they are null; all others are shown as null. */
  readonly absentWhenNull: readonly string[];
  /** A sample payload for endpoint tests and for the API description. */
  readonly sample: (at: EpochMs) => Payload;
}

export const ORDER_EVENT = {
  orderedBy: "order",
  isNumbered: true,
  absentWhenNull: [],
} as const;

export const NUMBER_EVENT = {
  orderedBy: "phone_number",
  isNumbered: true,
  absentWhenNull: [],
} as const;

/** Calls come from a topic, with no lock under which they could be numbered. */
export const CALL_EVENT = { ...NUMBER_EVENT, isNumbered: false } as const;

export const PORT_OUT_EVENT = { ...NUMBER_EVENT, orderedBy: "port_out" } as const;
