import type { StoredDocument } from "../../domain/document/rules/document.ts";
import { DOCUMENT_ROW, documentRows } from "../../domain/document/store/documents.ts";
import type { Effect } from "../../domain/order/rules/effects.ts";
import { creationEffects } from "../../domain/order/rules/creation-effects.ts";
import { orderMessages } from "../../domain/order/rules/order-messages.ts";
import type { Actor, Order } from "../../domain/order/rules/order.ts";
import { REWRITTEN } from "../../domain/order/store/order-commands.ts";
import { TIMELINE_ROW, timelineRows } from "../../domain/order/store/timeline.ts";
import { askedOf } from "../../domain/requirement/rules/catalogue.ts";
import type { MessageContext, OutgoingMessage } from "../../messages/bus/outgoing.ts";
import type { Columns, RowOf } from "../../platform/db/recordset.ts";
import { comparableUrl } from "../../platform/net/url-rules.ts";
import { OUTBOX_ROW, outboxRows } from "../../platform/outbox/outbox.ts";
import type { OtherHolders } from "./plan-orders.ts";

/** What an order has from its creation: the effects of giving it these values, and the documents among them. */
interface GivenParts {
  readonly effects: readonly Effect[];
  readonly values: readonly RowOf<typeof REWRITTEN>[];
  readonly files: readonly StoredDocument[];
}

const NOTHING_GIVEN: GivenParts = { effects: [], values: [], files: [] };

/** The orders of one request; either all or none are created. */
export interface OrderBatch {
  readonly orders: readonly Order[];
  /** What orders are given at once, by their ids. */
  readonly given?: ReadonlyMap<string, GivenParts>;
  /** The numbers in the order of the request, to which faults point. */
  readonly requested: readonly string[];
  /** The accounts with which the orders were planned to hold some of the numbers. */
  readonly holders: OtherHolders;
  readonly actor: Actor;
  readonly now: Date;
  /** Of the span of the request; undefined where tracing is off. */
  readonly traceparent?: string | undefined;
}

/** In all of these rows, `request` is the index of the request among those created together. */
export const NEW_ORDER = {
  request: "integer",
  id: "uuid",
  account_id: "uuid",
  batch_id: "uuid",
  status: "text",
  provider: "text",
  country_code: "text",
  number_type: "text",
  losing_carrier: "text",
  customer_reference: "text",
  webhook_url: "text",
  webhook_href: "text",
  requirements_status: "boolean",
  foc_requested: "text",
  event_sequence: "integer",
  created_numbers: "smallint",
  created_at: "timestamptz",
} as const satisfies Columns;

export const NEW_NUMBER = {
  request: "integer",
  order_id: "uuid",
  position: "smallint",
  account_id: "uuid",
  phone_number: "text",
  holder: "uuid",
} as const satisfies Columns;

export const QUOTA_CLAIM = {
  request: "integer",
  account_id: "uuid",
  drafts: "integer",
  numbers: "integer",
  max_drafts: "integer",
  max_numbers: "integer",
  max_discarded: "integer",
} as const satisfies Columns;

/** The requirements that all new orders of a kind have. */
export const ASKED = {
  country_code: "text",
  number_type: "text",
  items: "jsonb",
} as const satisfies Columns;

export const VALUE_ROW = { order_id: "uuid", ...REWRITTEN } as const satisfies Columns;

export const NEW_VALUE = { request: "integer", ...VALUE_ROW } as const satisfies Columns;

export const NEW_DOCUMENT = { request: "integer", ...DOCUMENT_ROW } as const satisfies Columns;

export const NEW_ENTRY = { request: "integer", ...TIMELINE_ROW } as const satisfies Columns;

export const NEW_MESSAGE = { request: "integer", ...OUTBOX_ROW } as const satisfies Columns;

/** The rows that creating the orders of several requests writes. */
interface NewOrderRows {
  readonly orders: readonly RowOf<typeof NEW_ORDER>[];
  readonly numbers: readonly RowOf<typeof NEW_NUMBER>[];
  readonly asked: readonly RowOf<typeof ASKED>[];
  readonly values: readonly RowOf<typeof NEW_VALUE>[];
  readonly documents: readonly RowOf<typeof NEW_DOCUMENT>[];
  readonly timeline: readonly RowOf<typeof NEW_ENTRY>[];
  readonly messages: readonly RowOf<typeof NEW_MESSAGE>[];
}

/** A new order with everything that its creation writes. */
interface NewOrder {
  readonly request: number;
  readonly order: Order;
  readonly holders: OtherHolders;
  readonly actor: Actor;
  readonly now: Date;
  readonly effects: readonly Effect[];
  readonly given: GivenParts;
  readonly messages: readonly OutgoingMessage[];
}

export function newOrderRows(
  context: MessageContext,
  batches: readonly OrderBatch[],
): NewOrderRows {
  const created = batches.flatMap((batch, request) => newOrdersOf(context, batch, request));
  return {
    orders: created.map(orderRow),
    numbers: created.flatMap(numberRows),
    asked: askedRows(created),
    values: created.flatMap(({ request, order: { id: order_id }, given }) =>
      given.values.map((row) => ({ ...row, request, order_id })),
    ),
    documents: created.flatMap(({ request, given }) =>
      documentRows(given.files).map((row) => ({ ...row, request })),
    ),
    timeline: created.flatMap(({ request, order, effects, actor, now }) =>
      timelineRows(order, effects, { actor, now }).map((entry) => ({ ...entry, request })),
    ),
    messages: messageRows(created),
  };
}

function newOrdersOf(
  context: MessageContext,
  { orders, given: gifts, holders, actor, now, traceparent }: OrderBatch,
  request: number,
): NewOrder[] {
  const effects = creationEffects(orders);
  const traced = traceparent === undefined ? context : { ...context, traceparent };
  return orders.map((order, n) => {
    const given = gifts?.get(order.id) ?? NOTHING_GIVEN;
    const decision = { order, effects: [...(effects[n] ?? []), ...given.effects] };
    const { messages, eventSequence } = orderMessages(traced, decision, { actor, now });
    const numbered = { ...order, event_sequence: eventSequence };
    return { request, holders, actor, now, given, ...decision, order: numbered, messages };
  });
}

/** Column by column: a copy of an order with one more property costs as much as all of its other rows. */
function orderRow({ request, order }: NewOrder): RowOf<typeof NEW_ORDER> {
  return {
    request,
    id: order.id,
    account_id: order.account_id,
    batch_id: order.batch_id,
    status: order.status,
    provider: order.provider,
    country_code: order.country_code,
    number_type: order.number_type,
    losing_carrier: order.losing_carrier,
    customer_reference: order.customer_reference,
    webhook_url: order.webhook_url,
    webhook_href: order.webhook_url === null ? null : comparableUrl(order.webhook_url),
    requirements_status: order.requirements_status,
    foc_requested: order.foc_requested,
    event_sequence: order.event_sequence,
    created_numbers: order.numbers.length,
    created_at: order.created_at,
  };
}

function numberRows({ request, order, holders }: NewOrder): RowOf<typeof NEW_NUMBER>[] {
  return order.numbers.map(({ phone_number }, n) => ({
    request,
    order_id: order.id,
    position: n + 1,
    account_id: order.account_id,
    phone_number,
    holder: holders.get(phone_number) ?? null,
  }));
}

/** New orders of one kind have the same requirements, so they are sent once. */
function askedRows(created: readonly NewOrder[]): RowOf<typeof ASKED>[] {
  const kinds = new Map(
    created.map(({ order }) => [`${order.country_code} ${order.number_type}`, order]),
  );
  return [...kinds.values()].map(({ country_code, number_type, requirements }) => ({
    country_code,
    number_type,
    items: requirements.map(askedOf),
  }));
}

/** Built from all messages at once, because they are written in this order. */
function messageRows(created: readonly NewOrder[]): RowOf<typeof NEW_MESSAGE>[] {
  const requests = created.flatMap(({ request, messages }) => messages.map(() => request));
  return outboxRows(created.flatMap(({ messages }) => messages)).map((row, n) => ({
    ...row,
    request: requests[n] ?? 0,
  }));
}
