import type { EpochMs } from "./epoch-ms.ts";

/** What the table of event types knows of every type; of a reserved one it knows no more. */
export interface EventRow {
  /** As the contract has it (docs/contract/interface-specification.md, Event types). */
  readonly firedWhen: string;
  /** Whether it goes to its order's own `webhook_url`, where there is one, and to no endpoint. */
  readonly overridesEndpoints: boolean;
}

/** What an event may be ordered within; its payload has to name it, but for the order, which the envelope names. */
type OrderedBy<Payload> =
  | "order"
  | (Payload extends { readonly phone_number: string } ? "phone_number" : never)
  | (Payload extends { readonly port_out: { readonly id: string } } ? "port_out" : never);

/** What it knows of a type that is sent. */
export interface SentEventRow<Payload> extends EventRow {
  /** Whose id is its `sequence_key` and its key on the topic (docs/contract/messages.md, Event envelope). */
  readonly orderedBy: OrderedBy<Payload>;
  /** Whether it has an `order_sequence`, drawn under the lock of what it is ordered by. */
  readonly isNumbered: boolean;
  /** Fields, as `Record.field`, that JSON leaves out where they are null; every other one is shown as null. */
  readonly absentWhenNull: readonly string[];
  /** A payload for the test of an endpoint and for the API's description. */
  readonly sample: (at: EpochMs) => Payload;
}

export const ORDER_EVENT = {
  orderedBy: "order",
  isNumbered: true,
  overridesEndpoints: true,
  absentWhenNull: [],
} as const;

export const NUMBER_EVENT = {
  orderedBy: "phone_number",
  isNumbered: true,
  overridesEndpoints: false,
  absentWhenNull: [],
} as const;

/** Calls come from a topic, without a lock under which they could be numbered. */
export const CALL_EVENT = { ...NUMBER_EVENT, isNumbered: false } as const;

export const PORT_OUT_EVENT = { ...NUMBER_EVENT, orderedBy: "port_out" } as const;
