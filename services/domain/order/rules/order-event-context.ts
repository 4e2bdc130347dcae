import type { EventRejection } from "../../../messages/generated/porting-event.ts";
import { withoutFigures, type EventContext } from "../../event/rules/event-context.ts";
import { definitionOf } from "../../requirement/rules/catalogue.ts";
import type { DecisionContext, Effect } from "./effects.ts";
import type { Order } from "./order.ts";
import { isEnded } from "./status-facts.ts";
import { failureCodeOf, type StatusUpdate, type StatusUpdateKind } from "./status-update.ts";

type EventEffect = Extract<Effect, { effect: "event" }>;

/** What led to a decision: who acted, when, and the carrier's status update if it was one. */
export interface Occasion extends DecisionContext {
  readonly update?: StatusUpdate | null | undefined;
}

interface Reason {
  readonly code: string | null;
  readonly slug: string | null;
  readonly text: string | null;
}

/** What an order's event reports to analysts: whose order it is, who changed it, and why it was rejected or refused. */
export function orderEventContext(
  order: Order,
  effect: EventEffect,
  occasion: Occasion,
): EventContext {
  const { provider, losing_carrier, number_type, country_code } = order;
  const reason = reasonOf(order, effect, occasion);
  return {
    provider,
    losing_carrier,
    number_type,
    country_code,
    rejection: reason === null ? null : rejectionOf(order, reason),
    occurred_at: occasion.update?.occurred_at ?? null,
    actor: occasion.actor.type,
  };
}

function reasonOf(order: Order, effect: EventEffect, { now, update }: Occasion): Reason | null {
  const raised = order.exceptions
    .filter((exception) => exception.raised_at === now.toISOString())
    .map(({ code, slug, detail }): Reason => ({ code, slug, text: detail }));
  if (effect.type === "porting_order.requirement_updated") {
    const { slug } = effect.payload.requirement;
    return raised.find((reason) => reason.slug === slug) ?? null;
  }
  // Of the moves of one decision only the last rejects.
  const isLastMove =
    effect.type === "porting_order.status_changed" && effect.payload.new_status === order.status;
  if (!isLastMove) return null;
  // A requirement's event reports its own reason; one that concerns no requirement is reported here alone.
  return raised.find(({ slug }) => slug === null) ?? raised[0] ?? finalReason(order, update);
}

const REFUSING: ReadonlySet<StatusUpdateKind | null> = new Set([
  "rejected",
  "refused",
  "number_failed",
]);

/** Why the carrier ended the order without all of its numbers; null if it did not. */
function finalReason(order: Order, update: StatusUpdate | null | undefined): Reason | null {
  if (update == null || !isEnded(order)) return null;
  if (REFUSING.has(update.kind)) {
    return { code: failureCodeOf(update), slug: null, text: update.text };
  }
  const failed = order.numbers.find(({ failure_code }) => failure_code !== null);
  return failed === undefined ? null : { code: failed.failure_code, slug: null, text: null };
}

/** A text about a sensitive requirement may repeat its value, so it is not reported. */
function rejectionOf(order: Order, { code, slug, text }: Reason): EventRejection {
  const isShown = slug === null || definitionOf(order, slug)?.sensitivity === "no";
  return { code: code ?? "other", slug, text: isShown ? withoutFigures(text) : null };
}
