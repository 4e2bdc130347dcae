import { WAIT_KINDS, type WaitKind } from "../../deadline/deadline.ts";
import type { OrderCommand } from "./decide.ts";
import type { DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import type { OrderDecision } from "./order-decision.ts";
import { factsOf } from "./status-facts.ts";
import { awaitsCancelAnswer } from "./transitions.ts";

/** The context of a decision: the order before it, the command and its actor. */
export interface Decided extends DecisionContext {
  readonly before: Order;
  readonly command: OrderCommand;
}

/** Starts, restarts and ends the waits that a decision affects; a wait that lasts too long becomes a deadline. */
export function withWaits(decision: OrderDecision, decided: Decided): OrderDecision {
  const waits = WAIT_KINDS.flatMap((kind) => {
    const since = changeOf(kind, decision, decided);
    return since === undefined ? [] : [{ effect: "wait" as const, kind, since }];
  });
  return { ...decision, effects: [...waits, ...decision.effects] };
}

function isWaiting(kind: WaitKind, { status, deleted_at }: Order): boolean {
  return deleted_at === null && factsOf(status).deadlines.includes(kind);
}

/** When the wait starts again; null if it ends, undefined if it does not change. */
function changeOf(kind: WaitKind, { order, effects }: OrderDecision, decided: Decided) {
  const { before, command, actor, now } = decided;
  const waited = isWaiting(kind, before);
  if (!isWaiting(kind, order)) return waited ? null : undefined;
  switch (kind) {
    case "draft_expiry":
    case "rejection_expiry":
      return !waited || actor.type === "customer" ? now : undefined;
    case "foc_grace": {
      if (command.command === "foc_grace") return now;
      const same = waited && before.foc_actual === order.foc_actual;
      return same || order.foc_actual === null ? undefined : new Date(order.foc_actual);
    }
    case "carrier_silence":
      if (effects.some(({ effect }) => effect === "carrier_task")) return now;
      if (command.command !== "status_update") return undefined;
      if (!isOfCurrent(before, command.update.request_version)) return undefined;
      // An update that leaves a cancellation pending is about the order itself: the carrier still owes that answer.
      return awaitsCancelAnswer(order) ? now : null;
  }
}

/** A status update about an older version does not answer the current request. */
function isOfCurrent(order: Order, version: number): boolean {
  return version === order.request_version;
}
