import {
  outgoing,
  type MessageContext,
  type OutgoingMessage,
} from "../../../messages/bus/outgoing.ts";
import type {
  EventRejection,
  PortingOrderSnapshot,
} from "../../../messages/generated/porting-event.ts";
import { derivedId, newIds } from "../../../platform/ids.ts";
import { withoutFigures, type EventContext } from "../../event/rules/event-context.ts";
import { eventMessage, newEvent } from "../../event/rules/new-event.ts";
import { definitionOf } from "../../requirement/rules/catalogue.ts";
import type { CarrierTaskKind, DecisionContext, Effect } from "./effects.ts";
import type { OrderDecision } from "./order-decision.ts";
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

/** The order in event payloads: the specification's twelve fields. */
export function snapshotOf(order: Order): PortingOrderSnapshot {
  return {
    id: order.id,
    batch_id: order.batch_id,
    status: order.status,
    closed_by: order.closed_by,
    provider_status: order.provider_status,
    country_code: order.country_code,
    number_type: order.number_type,
    customer_reference: order.customer_reference,
    requirements_status: order.requirements_status,
    foc_requested: order.foc_requested,
    foc_actual: order.foc_actual,
    phone_numbers: order.numbers.map((number) => number.phone_number),
  };
}

/** The outbox messages of a decision, in sequence, and the sequence number of the order's last event. */
interface OrderMessages {
  readonly messages: readonly OutgoingMessage[];
  readonly eventSequence: number;
}

/** Numbers the events under the order's lock and addresses each message to its topic, keyed by the order's id. */
export function orderMessages(
  context: MessageContext,
  { order, effects }: OrderDecision,
  occasion: Occasion,
): OrderMessages {
  const { now } = occasion;
  const ids = newIds(now, effects.length);
  let eventSequence = order.event_sequence;
  const messages = effects.flatMap((effect, n): OutgoingMessage[] => {
    const messageId = ids[n] ?? "";
    const address = { key: order.id, messageId };
    switch (effect.effect) {
      case "event": {
        eventSequence += 1;
        const event = newEvent(effect.type, effect.payload, {
          id: messageId,
          account_id: order.account_id,
          order_id: order.id,
          sequence_key: order.id,
          order_sequence: eventSequence,
          created_at: now,
          context: orderEventContext(order, effect, occasion),
        });
        return [eventMessage(context, event)];
      }
      case "review_request": {
        const message = reviewRequest(order, effect);
        return [outgoing(context, "porting.review-requests", { ...address, message })];
      }
      case "carrier_task": {
        const message = carrierTask(order, effect.kind);
        return [outgoing(context, "porting.carrier-requests", { ...address, message })];
      }
      case "comment":
      case "system_comment":
      case "timeline":
      case "deadline":
      case "wait":
      case "number_active":
        return [];
    }
  });
  return { messages, eventSequence };
}

type ReviewRequestEffect = Extract<Effect, { effect: "review_request" }>;

function reviewRequest(order: Order, effect: ReviewRequestEffect) {
  const { kind, attempt } = effect;
  const request = { kind, order_id: order.id, account_id: order.account_id, attempt };
  const document =
    effect.kind === "check_document" ? { slug: effect.slug, document_id: effect.document_id } : {};
  return { ...request, ...document };
}

function carrierTask(order: Order, kind: CarrierTaskKind) {
  return {
    request_id: carrierRequestId(order, kind),
    kind,
    provider: order.provider,
    order_id: order.id,
    request_version: order.request_version,
  };
}

/**
 * The id of a request to a carrier. It is derived from the content, so that a repeated request has the same id: one
 * submit or supplement per version, one cancellation per time it was requested, one activation per date.
 */
export function carrierRequestId(order: Order, kind: CarrierTaskKind): string {
  return derivedId([order.id, kind, order.request_version, occasionOf(order, kind)].join("/"));
}

function occasionOf({ cancel, foc_actual }: Order, kind: CarrierTaskKind): string {
  switch (kind) {
    case "submit":
    case "supplement":
      return "";
    case "cancel":
      return cancel?.asked_at ?? "";
    case "activate":
      return foc_actual === null ? "" : new Date(foc_actual).toISOString();
  }
}
