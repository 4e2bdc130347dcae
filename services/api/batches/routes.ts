import { z } from "zod";
import type { OrderCommand } from "../../domain/order/rules/decide.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { whyUnchangeable } from "../../domain/order/rules/decide-requirement.ts";
import { commandOrder } from "../../domain/order/store/order-commands.ts";
import { idRange } from "../../platform/db/id-range.ts";
import type { Database } from "../../platform/db/transaction.ts";
import { AppError, type ErrorCode, type Fault } from "../../platform/errors.ts";
import { notFound } from "../../platform/http/body/check-request.ts";
import { idText } from "../../platform/http/routing/answer-fields.ts";
import { StalePreparation } from "../../platform/http/routing/preparing.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import {
  customerActor,
  POST,
  turnsOf,
  type AccountPrincipal,
  type CustomerRoute,
} from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { cancelBody, MAX_NUMBERS } from "../orders/body.ts";
import { tooManyLetters } from "../orders/draft-orders.ts";
import { endOfChecks, submitCommand } from "../orders/own-order.ts";
import { listOrders } from "../orders/store/list-orders.ts";
import { checkGiven, fulfilOrder, storeGiven, type CheckedGiven } from "../requirements/fulfil.ts";
import { findUnaskedFaults, givenRequirements } from "../requirements/given-requirements.ts";

const PATH = "/v2/porting_batches/:batch_id";

const resultsAnswer = z
  .object({
    data: z
      .array(
        z.object({
          order_id: idText("The order's id"),
          ok: z.boolean().meta({ description: "Whether it was done", examples: [true] }),
          error: z
            .object({
              code: z.string().meta({ description: "As the order's own command would be refused" }),
              detail: z.string().meta({ description: "Why, for people" }),
              errors: z
                .array(
                  z.object({
                    pointer: z
                      .string()
                      .optional()
                      .meta({ description: "Where in the request or the order it is" }),
                    code: z.string().meta({ description: "What is wrong" }),
                    detail: z.string().meta({ description: "What is wrong, for people" }),
                  }),
                )
                .meta({ description: "Each fault; empty where the code says it all" }),
            })
            .nullable()
            .meta({ description: "Why it was not done; null if it was", examples: [null] }),
        }),
      )
      .min(1)
      .meta({ description: "What became of each order of the batch, oldest first" }),
  })
  .meta({ id: "BatchResults", description: "What a command did to each order of a batch" });

/** Commands on all orders that one request created: each order takes it or not, whatever the others do. */
export function batchRoutes(deps: ApiDeps): CustomerRoute[] {
  return [submitRoute(deps), cancelRoute(deps), requirementsRoute(deps)];
}

interface BatchPath {
  readonly db: Database;
  readonly principal: AccountPrincipal;
  readonly params: { readonly batch_id: string };
}

/** The account's orders of a batch. @throws `not_found` where it has none */
async function ordersOf({ db, principal, params }: BatchPath): Promise<readonly Order[]> {
  const range = idRange({ direction: "asc", cursorId: null, fetch: MAX_NUMBERS + 1 }, {});
  const filter = { batch_id: params.batch_id };
  const { rows } = await listOrders(db, { accountId: principal.accountId, range, filter });
  if (rows.length === 0) throw notFound();
  return rows;
}

interface Result {
  readonly order_id: string;
  readonly ok: boolean;
  readonly error: {
    readonly code: string;
    readonly detail: string;
    readonly errors: readonly Fault[];
  } | null;
}

const REFUSALS: readonly ErrorCode[] = [
  "not_found",
  "invalid_state",
  "not_ready",
  "cancel_too_late",
  "validation_failed",
];

/** One after the other in the order of their ids, as everybody locks several orders. */
async function forEach(
  orders: readonly Order[],
  work: (order: Order) => Promise<unknown>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const order of orders) {
    const { id: order_id } = order;
    try {
      await work(order);
      results.push({ order_id, ok: true, error: null });
    } catch (error) {
      results.push({ order_id, ok: false, error: refusalIn(error) });
    }
  }
  return results;
}

function refusalIn(error: unknown): NonNullable<Result["error"]> {
  if (error instanceof StalePreparation) {
    const detail = "The order was changed at the same moment. Try again.";
    return { code: "unavailable", detail, errors: [] };
  }
  if (!(error instanceof AppError) || !REFUSALS.includes(error.code)) throw error;
  return { code: error.code, detail: error.message, errors: error.faults };
}

/** Runs a command of each order. */
async function commandEach({ bus }: ApiDeps, request: BatchPath, command: OrderCommand) {
  const { db, principal } = request;
  const { accountId } = principal;
  const actor = customerActor(principal);
  const data = await forEach(await ordersOf(request), ({ id: orderId }) => {
    const given = { command, actor, now: bus.clock.now() };
    return commandOrder({ ...bus, db }, { accountId, orderId }, given);
  });
  return ok({ data });
}

function submitRoute(deps: ApiDeps): CustomerRoute {
  const { bus, heavy } = deps;
  return POST(`${PATH}/submit`, "Submit the orders of a batch", {
    operationId: "submitPortingBatch",
    description:
      "Each order that is ready; the others stay as they are. Documents that are being checked are waited for, 10 s at most.",
    answers: { 200: resultsAnswer },
    find: ordersOf,
    inSlot: async (request, run) => {
      await endOfChecks(() => ordersOf(request), bus.clock);
      return heavy.run(turnsOf(request.principal), run);
    },
    handle: (request) => commandEach(deps, request, submitCommand(deps)),
  });
}

function cancelRoute(deps: ApiDeps): CustomerRoute {
  const { heavy, cancelCutoffMs: cutoffMs } = deps;
  return POST(`${PATH}/cancel`, "Cancel the orders of a batch", {
    operationId: "cancelPortingBatch",
    description: "Each order that can still be cancelled, as its own command would.",
    answers: { 200: resultsAnswer },
    find: ordersOf,
    body: cancelBody,
    inSlot: ({ principal }, run) => heavy.run(turnsOf(principal), run),
    handle: (request) => {
      const { reason = null } = request.body;
      return commandEach(deps, request, { command: "cancel", by: "customer", reason, cutoffMs });
    },
  });
}

function requirementsRoute(deps: ApiDeps): CustomerRoute {
  const { bus, heavy, files } = deps;
  return POST(`${PATH}/requirements`, "Give the orders of a batch what they ask for", {
    operationId: "fulfilPortingBatch",
    description:
      "Each order gets what it asks for of `requirements`, all of that or nothing: an order that refuses a value keeps what it had.",
    answers: { 200: resultsAnswer },
    refuses: ["quota_exceeded"],
    find: ordersOf,
    body: z
      .strictObject({ requirements: givenRequirements })
      .meta({ examples: [{ requirements: { entity_name: "Acme Dental LLC" } }] }),
    inSlot: ({ principal }, run) => heavy.run(turnsOf(principal), run),
    prepare: async (request, preparing) => {
      const { db, principal, body } = request;
      const { requirements: given } = body;
      const all = await ordersOf(request);
      const orders = all.filter((order) => whyUnchangeable(order) === null);
      const faults = [...findUnaskedFaults(given, all), ...tooManyLetters(given, orders)];
      if (faults.length > 0) throw notGiven(faults);
      const to = { db, accountId: principal.accountId, orders, given };
      const checked = await checkGiven(deps, preparing, to);
      const stored = await storeGiven(deps, to, checked.filter(isRight));
      return { all, stored, checked: new Map(checked.map((one) => [one.order.id, one])) };
    },
    handle: async ({ db, principal, prepared: { all, stored, checked } }) => {
      const { accountId } = principal;
      const data = await forEach(all, async (order) => {
        const { id: orderId } = order;
        const faults = checked.get(orderId)?.faults ?? [];
        if (faults.length > 0) throw notGiven(faults);
        const fulfilment = stored.get(orderId);
        if (fulfilment === undefined) {
          throw new AppError("invalid_state", whyUnchangeable(order) ?? "The order has changed.");
        }
        const by = { actor: customerActor(principal), now: bus.clock.now() };
        await fulfilOrder({ ...bus, db, files }, { accountId, orderId }, { fulfilment, ...by });
      });
      return ok({ data });
    },
  });
}

const isRight = ({ faults }: CheckedGiven): boolean => faults.length === 0;

function notGiven(faults: readonly Fault[]): AppError {
  return new AppError("validation_failed", "The values are not accepted.", { faults });
}
