import { presentChange } from "../../domain/order/answers/change-answer.ts";
import { presentOrder } from "../../domain/order/answers/order-answer.ts";
import { nextActionOf, type DueTimes } from "../../domain/order/rules/next-action.ts";
import type { CancelRequest, Order } from "../../domain/order/rules/order.ts";
import { readDueTimes } from "../../domain/order/store/read-order.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { DeskDeps } from "../desk-deps.ts";
import type { AttentionKind } from "./answers.ts";
import { readDeskFacts, type DeskFacts } from "./store/find-orders.ts";

interface OrderAttention {
  readonly kind: AttentionKind;
  readonly reason: string;
  readonly raised_at: string;
}

/** The most pressing reason to look at the order; null if there is none. */
export function attentionOf(
  { attention }: Pick<Order, "attention">,
  facts: DeskFacts,
): OrderAttention | null {
  const { dead_letter: letter, duplicate, comment_since, overdue_since } = facts;
  if (attention !== null) return { kind: "carrier", ...attention };
  if (letter !== null) {
    const { consumer, error_code: code, created_at: at } = letter;
    const reason = `${consumer} could not handle a message of the order (${code}).`;
    return { kind: "dead_letter", reason, raised_at: new Date(at).toISOString() };
  }
  if (duplicate !== null) {
    const reason = `A live order of ${duplicate.account} has one of its numbers.`;
    const raised_at = new Date(duplicate.created_at).toISOString();
    return { kind: "duplicate", reason, raised_at };
  }
  if (comment_since !== null) {
    const reason = "The customer wrote, and has no answer.";
    return { kind: "comment", reason, raised_at: comment_since.toISOString() };
  }
  if (overdue_since === null) return null;
  const reason = "The review is past its due time.";
  return { kind: "review_overdue", reason, raised_at: overdue_since.toISOString() };
}

/** What an order is shown with. */
interface Shown {
  readonly due: DueTimes;
  readonly facts: DeskFacts;
  readonly now: Date;
}

/** The whole order as the desk sees it. */
export function presentDeskOrder(order: Order, { due, facts }: Shown) {
  const { account_id, provider, provider_status_at, request_version, review_attempt } = order;
  return {
    ...presentOrder(order, due),
    ...{ account_id, provider, provider_status_at, request_version, review_attempt },
    account: { id: account_id, name: facts.account_name },
    attention: attentionOf(order, facts),
    changes: order.changes.map(presentChange),
    cancellation: order.cancel === null ? null : presentCancellation(order.cancel),
  };
}

function presentCancellation({ asked_by, asked_at, reason, from_status }: CancelRequest) {
  return { asked_by, asked_at, reason: reason.detail, from_status };
}

/** An order of the desk's list: with its first number, and how many there are. */
export type ListedOrder = Order & { readonly numbers_count: number };

export function presentOrderSummary(order: ListedOrder, { due, facts, now }: Shown) {
  const { id, batch_id, status, provider, provider_status, country_code, number_type } = order;
  const { losing_carrier, customer_reference, numbers_count, foc_requested, foc_actual } = order;
  const { account_id, numbers, created_at, updated_at } = order;
  return {
    ...{ id, batch_id, status, provider, provider_status, country_code, number_type },
    ...{ losing_carrier, customer_reference, numbers_count, foc_requested, foc_actual },
    account: { id: account_id, name: facts.account_name },
    first_number: numbers[0]?.phone_number ?? "",
    next_action: nextActionOf(order, due, now),
    attention: attentionOf(order, facts),
    ...{ created_at, updated_at },
  };
}

export type ShowDeps = Pick<DeskDeps, "bus" | "expirySpans">;

interface ShowContext extends ShowDeps {
  readonly db: Queryable;
}

/** Presents orders with what happens by itself and why the desk should look at them: two statements for all of them. */
export async function showOrders<O extends Order, Answer>(
  { db, bus: { clock }, expirySpans }: ShowContext,
  orders: readonly O[],
  present: (order: O, shown: Shown) => Answer,
): Promise<Answer[]> {
  const now = clock.now();
  const ids = orders.map(({ id }) => id);
  const [due, facts] = await Promise.all([
    readDueTimes(db, orders, expirySpans),
    readDeskFacts(db, ids, now),
  ]);
  return orders.flatMap((order) => {
    const own = facts.get(order.id);
    return own === undefined ? [] : [present(order, { due, facts: own, now })];
  });
}
