import { presentOrder } from "../../domain/order/answers/order-answer.ts";
import { nextActionOf, type DueTimes } from "../../domain/order/rules/next-action.ts";
import type { CancelRequest, Order } from "../../domain/order/rules/order.ts";
import { attentionOf } from "./attention.ts";
import type { DeskFacts } from "./store/desk-facts.ts";

/** What an order is shown with. */
export interface Shown {
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
