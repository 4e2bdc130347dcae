import { withoutFigures, type EventContext } from "../../event/rules/event-context.ts";
import type { DecidedPortOut, PortOutEffect } from "./decide-port-out.ts";
import type { PortOut, PortOutDecision } from "./port-out.ts";
import { portOutFactsOf } from "./port-out-transitions.ts";

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
