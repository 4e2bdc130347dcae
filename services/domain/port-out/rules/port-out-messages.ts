import {
  outgoing,
  type MessageContext,
  type OutgoingMessage,
} from "../../../messages/bus/outgoing.ts";
import { derivedId, newIds } from "../../../platform/ids.ts";
import { withoutFigures, type EventContext } from "../../event/rules/event-context.ts";
import { eventMessage, newEvent } from "../../event/rules/new-event.ts";
import type { DecidedPortOut, PortOutEffect } from "./decide-port-out.ts";
import { portOutFactsOf } from "./port-out-transitions.ts";
import type { PortOut, PortOutDecision } from "./port-out.ts";

type PortOutEvent = Extract<PortOutEffect, { effect: "event" }>;

const ACTORS = { customer: "customer", ops: "desk", system: "system" } as const satisfies Record<
  PortOutDecision["by"],
  EventContext["actor"]
>;

/** What an event of a port-out reports to analysts: who moved it, and why it was rejected. */
export function portOutContext(
  { portOut, occurred_at }: DecidedPortOut,
  { type }: PortOutEvent,
): EventContext {
  const { provider } = portOut;
  const context = { provider, occurred_at: occurred_at ?? null, actor: "carrier" } as const;
  if (type === "port_out.created") return context;
  const { movedBy } = portOutFactsOf(portOut.status);
  switch (movedBy) {
    case "carrier":
      return context;
    case "system":
      return { provider, actor: "system" };
    case "decider":
      return { provider, ...decisionOf(portOut) };
  }
}

function decisionOf({ decision }: PortOut): Pick<EventContext, "actor" | "rejection"> {
  if (decision === null) return { actor: "system" };
  const { by, code, reason } = decision;
  const actor = ACTORS[by];
  if (code === null) return { actor };
  return { actor, rejection: { code, slug: null, text: withoutFigures(reason) } };
}

interface PortOutMessages {
  readonly messages: readonly OutgoingMessage[];
  /** The sequence number of the record's last event. */
  readonly eventSequence: number;
}

/** Numbers the events under the port-out's lock; the answer to the carrier is keyed by the first number. */
export function portOutMessages(
  context: MessageContext,
  decided: DecidedPortOut,
  now: Date,
): PortOutMessages {
  const { portOut, effects } = decided;
  const ids = newIds(now, effects.length);
  let eventSequence = portOut.event_sequence;
  const messages = effects.flatMap((effect, n): OutgoingMessage[] => {
    const messageId = ids[n] ?? "";
    switch (effect.effect) {
      case "event": {
        eventSequence += 1;
        const event = newEvent(effect.type, effect.payload, {
          id: messageId,
          account_id: portOut.account_id,
          order_id: orderOf(portOut),
          sequence_key: portOut.id,
          order_sequence: eventSequence,
          created_at: now,
          context: portOutContext(decided, effect),
        });
        return [eventMessage(context, event)];
      }
      case "answer":
        return [
          answerTask(context, { ...portOut, phone_number: firstNumberOf(portOut) }, messageId),
        ];
      case "deadline":
      case "mark_numbers":
      case "leave":
        return [];
    }
  });
  return { messages, eventSequence };
}

/** The order that brought all of its numbers in; null where there are several, or a number of none. */
export function orderOf({ numbers }: Pick<PortOut, "numbers">): string | null {
  const [first, ...others] = new Set(numbers.map((number) => number.porting_order_id));
  return others.length === 0 ? (first ?? null) : null;
}

function firstNumberOf({ numbers }: PortOut): string {
  return numbers[0]?.phone_number ?? "";
}

/** The answer to a port-out; its request_id stays the same however often it is sent, unless it takes back an approval. */
export function answerTask(
  context: MessageContext,
  portOut: Pick<PortOut, "id" | "provider"> & {
    readonly phone_number: string;
    readonly decision?: PortOutDecision | null;
  },
  messageId: string,
): OutgoingMessage {
  const { by, code } = portOut.decision ?? {};
  const isTakenBack = by === "system" && code === "number_not_active";
  const task = {
    request_id: derivedId(`${portOut.id}/port_out_decision${isTakenBack ? "/taken_back" : ""}`),
    kind: "port_out_decision" as const,
    provider: portOut.provider,
    port_out_id: portOut.id,
    phone_number: portOut.phone_number,
  };
  return outgoing(context, "porting.carrier-requests", {
    key: portOut.phone_number,
    messageId,
    message: task,
  });
}
