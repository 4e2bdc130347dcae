import type { MessageContext, OutgoingMessage } from "../../../messages/bus/outgoing.ts";
import { newIds } from "../../../platform/ids.ts";
import { askedOf } from "../../../domain/requirement/rules/asked-requirement.ts";
import { creationEffects } from "../creation-effects.ts";
import type { Effect } from "../../../domain/order/rules/effects.ts";
import type { Actor, Order } from "../../../domain/order/rules/order.ts";
import { orderMessages } from "../../../domain/order/rules/order-messages.ts";

/** The orders of one request, all or none of which are created. */
export interface OrderBatch {
  readonly orders: readonly Order[];
  /** The numbers as the request named them, which faults point into. */
  readonly requested: readonly string[];
  readonly actor: Actor;
  readonly now: Date;
}

/** What some requests write, as columns for `unnest`; `request` counts them from 0. */
export interface NewOrderColumns {
  /** Per order: request, account_id, batch_id, created_at and what the order says of itself. */
  readonly orders: readonly unknown[][];
  /** Per number: request, order_id, account_id, phone_number. */
  readonly numbers: readonly unknown[][];
  /** Per kind of order: country_code, number_type and what is asked for, as JSON. */
  readonly profiles: readonly unknown[][];
  /** Per entry: request, id, order_id, account_id, at, kind, actor, data. */
  readonly timeline: readonly unknown[][];
  /** The request of each message. */
  readonly messageRequests: readonly number[];
  readonly messages: readonly OutgoingMessage[];
}

/** Columns in the order of `names`. */
function columnsOf<T>(rows: readonly T[], names: readonly (keyof T)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]));
}

/** An order with all that its creation writes. */
interface NewOrder {
  readonly request: number;
  readonly order: Order;
  readonly at: string;
  readonly actor: string;
  readonly effects: readonly Effect[];
  readonly messages: readonly OutgoingMessage[];
  readonly eventSequence: number;
}

function newOrdersOf(context: MessageContext, batches: readonly OrderBatch[]): NewOrder[] {
  return batches.flatMap(({ orders, actor, now }, request) => {
    const effects = creationEffects(orders);
    const shared = { request, at: now.toISOString(), actor: JSON.stringify(actor) };
    return orders.map((order, n) => {
      const story = { order, effects: effects[n] ?? [] };
      return { ...shared, ...story, ...orderMessages(context, story, now) };
    });
  });
}

/** What the creation of some requests' orders writes. */
export function newOrderColumns(
  context: MessageContext,
  batches: readonly OrderBatch[],
): NewOrderColumns {
  const created = newOrdersOf(context, batches);
  return {
    orders: orderColumns(created),
    numbers: numberColumns(created),
    profiles: profileColumns(created),
    timeline: timelineColumns(created),
    messageRequests: created.flatMap(({ request, messages }) => messages.map(() => request)),
    messages: created.flatMap(({ messages }) => messages),
  };
}

function orderColumns(created: readonly NewOrder[]): unknown[][] {
  return [
    ...columnsOf(created, ["request", "at", "eventSequence"]),
    ...columnsOf(
      created.map(({ order }) => order),
      [
        "id",
        "account_id",
        "batch_id",
        "status",
        "provider",
        "country_code",
        "number_type",
        "losing_carrier",
        "customer_reference",
        "webhook_url",
        "requirements_status",
        "foc_requested",
      ],
    ),
  ];
}

function numberColumns(created: readonly NewOrder[]): unknown[][] {
  const rows = created.flatMap(({ request, order }) =>
    order.numbers.map(({ phone_number }) => ({
      request,
      order_id: order.id,
      account_id: order.account_id,
      phone_number,
    })),
  );
  return columnsOf(rows, ["request", "order_id", "account_id", "phone_number"]);
}

/** New orders of one kind ask for the same: it is sent once. */
function profileColumns(created: readonly NewOrder[]): unknown[][] {
  const kinds = new Map(
    created.map(({ order }) => [`${order.country_code} ${order.number_type}`, order]),
  );
  const rows = [...kinds.values()].map(({ country_code, number_type, requirements }) => ({
    country_code,
    number_type,
    items: JSON.stringify(requirements.map(askedOf)),
  }));
  return columnsOf(rows, ["country_code", "number_type", "items"]);
}

function timelineColumns(created: readonly NewOrder[]): unknown[][] {
  const rows = created.flatMap(({ request, order, at, actor, effects }) => {
    const entries = effects.filter((effect) => effect.effect === "timeline");
    const ids = newIds(order.created_at, entries.length);
    return entries.map(({ kind, data }, n) => ({
      request,
      id: ids[n],
      order_id: order.id,
      account_id: order.account_id,
      at,
      kind,
      actor,
      data: JSON.stringify(data),
    }));
  });
  return columnsOf(rows, [
    "request",
    "id",
    "order_id",
    "account_id",
    "at",
    "kind",
    "actor",
    "data",
  ]);
}
