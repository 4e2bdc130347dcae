import { setTimeout } from "node:timers/promises";
import { presentOrder } from "../../domain/order/answers/order-answer.ts";
import type { OrderCommand } from "../../domain/order/rules/decide.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { commandOrder, type CustomerCommand } from "../../domain/order/store/order-commands.ts";
import { readConfiguration } from "../../domain/order/store/number-configuration.ts";
import { findOrder, readDueTimes } from "../../domain/order/store/read-order.ts";
import { whyUnchangeable } from "../../domain/order/rules/decide-requirement.ts";
import { readinessOf } from "../../domain/requirement/rules/readiness.ts";
import { isEditable } from "../../domain/order/rules/status-facts.ts";
import { findFocFault } from "../../domain/terms/rules/port-date.ts";
import { termsOfOrder } from "../../domain/terms/rules/terms-of-order.ts";
import { AppError, type Fault } from "../../platform/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { customerActor, turnsOf, type CustomerPath } from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import type { GivenRequirements } from "../requirements/given-requirements.ts";

export const PATH = "/v2/porting_orders";

type OwnOrder = Pick<CustomerPath, "principal" | "params">;

/** The `find` of a route under an order's path. */
export function ownOrder({ db, principal, params }: CustomerPath): Promise<Order> {
  return findOrder(db, principal.accountId, params.id);
}

/** The `inSlot` of what reads or changes one order. */
export function inTurnOf({ heavy }: ApiDeps) {
  return <T>({ principal, params }: OwnOrder, run: () => Promise<T>): Promise<T> =>
    heavy.runAbout(turnsOf(principal), params.id, run);
}

/** Runs a command and returns the changed order. */
export async function runCommand(
  deps: ApiDeps,
  request: CustomerPath,
  command: OrderCommand,
  also?: CustomerCommand["also"],
) {
  const { bus } = deps;
  const { db, principal, params } = request;
  const address = { accountId: principal.accountId, orderId: params.id };
  const actor = customerActor(principal);
  const given = { command, actor, now: bus.clock.now(), ...(also && { also }) };
  return showOrder(deps, request, await commandOrder({ ...bus, db }, address, given));
}

/**
 * The response with one order, and when something happens by itself with it. An order's link is in the hands of an end
 * user, who is not shown where the customer's webhooks go, nor how it sets its numbers.
 */
export async function showOrder(
  { expirySpans, heavy }: Pick<ApiDeps, "expirySpans" | "heavy">,
  { db, principal: { portal } }: Pick<CustomerPath, "db" | "principal">,
  order: Order,
) {
  heavy.note(order.id, order.numbers.length);
  const shown = presentOrder(order, await readDueTimes(db, [order], expirySpans));
  const isEndUsers = (portal?.orderId ?? null) !== null;
  if (isEndUsers) return ok({ ...shown, webhook_url: null, number_configuration: null });
  return ok({ ...shown, number_configuration: await readConfiguration(db, order.id) });
}

type DateDeps = Pick<ApiDeps, "terms" | "bus">;

/** A port date, and what else a request changes of an order on which its possible dates depend. */
interface AskedDate {
  readonly foc_requested?: string | null;
  readonly remove_phone_numbers?: readonly string[];
  readonly requirements?: GivenRequirements;
}

/** Why the order's numbers, as it is to become, cannot be moved at the date that is asked for; null if they can. */
export function dateFault({ terms, bus }: DateDeps, order: Order, asked: AskedDate): Fault | null {
  const { foc_requested: wanted = null, remove_phone_numbers, requirements } = asked;
  const removed = new Set(remove_phone_numbers);
  const numbers = order.numbers.filter(({ phone_number }) => !removed.has(phone_number));
  const dates = termsOfOrder(terms, { ...order, numbers }, requirements);
  return findFocFault(dates, wanted, bus.clock.now());
}

/** Why an order cannot be submitted with the date that it has, which was possible when it was given. */
export function ownDateFault(deps: DateDeps, order: Order): Fault | null {
  const { foc_requested } = order;
  return isEditable(order) ? dateFault(deps, order, { foc_requested }) : null;
}

export function submitCommand(deps: DateDeps): OrderCommand {
  return { command: "submit", findDateFault: (order) => ownDateFault(deps, order) };
}

/** @throws `validation_failed` for a date at which the order's numbers cannot be moved */
export function requirePossibleDate(deps: DateDeps, order: Order, asked: AskedDate): void {
  const fault = dateFault(deps, order, asked);
  if (fault === null) return;
  throw new AppError("validation_failed", "The order cannot be changed.", { faults: [fault] });
}

const CHECKS_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const MOST_PAUSE_MS = 1_000;

/**
 * Waits until none of the orders is kept from being submitted by running checks of its documents alone, 10 s at most, and
 * asks ever less often. For before a slot is taken.
 */
export async function endOfChecks(
  readOrders: () => Promise<readonly Order[]>,
  clock: Clock,
): Promise<void> {
  const until = performance.now() + CHECKS_MS;
  let pauseMs = FIRST_PAUSE_MS;
  while ((await readOrders()).some((order) => isBeingChecked(order, clock.now()))) {
    if (performance.now() + pauseMs > until) return;
    await setTimeout(pauseMs);
    pauseMs = Math.min(2 * pauseMs, MOST_PAUSE_MS);
  }
}

/** Whether nothing else keeps the order from being submitted. */
export function isBeingChecked(order: Order, now: Date): boolean {
  const { ready, blocking } = readinessOf(order, now);
  return (
    whyUnchangeable(order) === null && !ready && blocking.every(({ code }) => code === "checking")
  );
}
