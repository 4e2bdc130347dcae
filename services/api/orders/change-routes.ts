import { changeAnswer, presentChange } from "../../domain/order/answers/change-answer.ts";
import { isConfirmedDate } from "../../domain/order/rules/decide-change.ts";
import type { OrderCommand } from "../../domain/order/rules/decide.ts";
import { pendingChange } from "../../domain/order/rules/order-changes.ts";
import type { Order, OrderChange } from "../../domain/order/rules/order.ts";
import { isAtCarrier } from "../../domain/order/rules/status-facts.ts";
import { commandOrder } from "../../domain/order/store/order-commands.ts";
import { MANUAL_CARRIER } from "../../domain/carrier/rules/carrier-directory.ts";
import { takesRequest } from "../../domain/carrier/rules/provider.ts";
import { AppError } from "../../platform/errors.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, ok } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import {
  customerActor,
  GET,
  POST,
  type CustomerPath,
  type CustomerRoute,
} from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { changeBody, findSentChangeFaults, requireFocInRange } from "./body.ts";
import { inTurnOf, ownOrder, requirePossibleDate } from "./own-order.ts";

const PATH = "/v2/porting_orders/:id/changes";

/** What the losing carrier is asked to change in an order that it has. */
export function orderChangeRoutes(deps: ApiDeps): CustomerRoute[] {
  return [askRoute(deps), listRoute(deps), readRoute(deps), withdrawRoute(deps)];
}

function askRoute(deps: ApiDeps): CustomerRoute {
  const { clock } = deps.bus;
  return POST(PATH, "Ask the losing carrier for a change of an order that it has", {
    operationId: "createPortingOrderChange",
    description:
      "Another port date, or fewer numbers, in submitted, in_process and foc_scheduled, one change at a time. The order stays as it is until the carrier has answered: with a date, which accepts the change, or with a refusal. A change to the date that the carrier has confirmed is accepted at once.",
    answers: { 201: changeAnswer },
    refuses: ["invalid_state", "change_too_late", "quota_exceeded"],
    find: ownOrder,
    body: changeBody,
    inSlot: inTurnOf(deps),
    findMoreFaults: ({ body }, preparing) =>
      findSentChangeFaults(deps, preparing, { body, now: clock.now() }),
    prepare: ({ body }, preparing) => {
      const now = clock.now();
      return requireFocInRange(body.foc_requested, now, () =>
        findSentChangeFaults(deps, preparing, { body, now }),
      );
    },
    handle: async (request) => {
      const { foc_requested = null, remove_phone_numbers = [], reason = null } = request.body;
      const order = await ownOrder(request);
      requireAllowedDate(deps, order, { foc_requested, remove_phone_numbers });
      const id = newId(clock.now());
      const asked = { id, foc_requested, remove_phone_numbers, reason };
      const limits = { cutoffMs: deps.changeCutoffMs, isTaken: takesSupplements(deps, order) };
      const changed = await run(deps, request, { command: "ask_for_change", ...asked, ...limits });
      return created(
        presentChange(changeIn(changed, id)),
        `/v2/porting_orders/${order.id}/changes/${id}`,
      );
    },
  });
}

/** By the terms of the order as it is to become. The carrier's own date is possible; a state that allows no change is told first. */
function requireAllowedDate(
  deps: ApiDeps,
  order: Order,
  asked: Pick<OrderChange, "foc_requested" | "remove_phone_numbers">,
): void {
  const { foc_requested: wanted } = asked;
  if (wanted === null || isConfirmedDate(order, wanted) || !isAtCarrier(order.status)) return;
  if (pendingChange(order) === null) requirePossibleDate(deps, order, asked);
}

function listRoute(deps: ApiDeps): CustomerRoute {
  return GET(PATH, "List the changes that an order's carrier was asked for", {
    operationId: "listPortingOrderChanges",
    description: "Newest first, all of them: an order has 20 at most.",
    answers: { 200: listOf(changeAnswer) },
    find: ownOrder,
    inSlot: inTurnOf(deps),
    handle: async (request) => {
      const { changes } = await ownOrder(request);
      return ok({ data: changes.toReversed().map(presentChange), has_more: false });
    },
  });
}

type ChangePath = CustomerPath & { readonly params: { readonly change_id: string } };

function readRoute(deps: ApiDeps): CustomerRoute {
  return GET(`${PATH}/:change_id`, "Read a change of an order", {
    operationId: "getPortingOrderChange",
    description: "What was asked of the carrier, and what became of it.",
    answers: { 200: changeAnswer },
    find: ownChange,
    inSlot: inTurnOf(deps),
    handle: async (request) => ok(presentChange(await ownChange(request))),
  });
}

function withdrawRoute(deps: ApiDeps): CustomerRoute {
  return POST(`${PATH}/:change_id/withdraw`, "Withdraw a pending change", {
    operationId: "withdrawPortingOrderChange",
    description: "The carrier, which may have it already, is sent the order as it is.",
    answers: { 200: changeAnswer },
    refuses: ["invalid_state"],
    find: ownChange,
    inSlot: inTurnOf(deps),
    handle: async (request) => {
      const isTaken = takesSupplements(deps, await ownOrder(request));
      const { change_id: id } = request.params;
      const changed = await run(deps, request, { command: "withdraw_change", id, isTaken });
      return ok(presentChange(changeIn(changed, id)));
    },
  });
}

/** Whether a program takes the request to the carrier; at provider `manual` the desk does. */
function takesSupplements({ providers }: ApiDeps, { provider }: Order): boolean {
  return provider !== MANUAL_CARRIER && takesRequest(providers, provider, "supplement");
}

async function ownChange(request: ChangePath): Promise<OrderChange> {
  return changeIn(await ownOrder(request), request.params.change_id);
}

function changeIn({ changes }: Order, id: string): OrderChange {
  const change = changes.find((one) => one.id === id);
  if (change === undefined) throw new AppError("not_found", "The order has no such change.");
  return change;
}

function run(
  { bus, expirySpans }: ApiDeps,
  { db, principal, params: { id: orderId } }: CustomerPath,
  command: OrderCommand,
): Promise<Order> {
  const address = { accountId: principal.accountId, orderId };
  const confirmMs = expirySpans.date_confirmation;
  const given = { command, actor: customerActor(principal), now: bus.clock.now(), confirmMs };
  return commandOrder({ ...bus, db }, address, given);
}
