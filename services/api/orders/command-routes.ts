import { z } from "zod";
import { orderAnswer } from "../../domain/order/answers/order-answer.ts";
import type { OrderCommand } from "../../domain/order/rules/decide.ts";
import { commandOrder } from "../../domain/order/store/order-commands.ts";
import { optionalOrNull, textUpTo } from "../../platform/http/body/fields.ts";
import { noContent } from "../../platform/http/routing/reply.ts";
import { customerActor } from "../access/customer-actor.ts";
import {
  DELETE,
  PATCH,
  POST,
  type CustomerPath,
  type CustomerRoute,
} from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { patchOrderBody } from "./body.ts";
import { requireFocInRange } from "./foc-requested.ts";
import { findSentChangeFaults, findUrlRefusal, patchRefusal } from "./find-order-faults.ts";
import { ownOrder } from "./own-order.ts";
import { showOrder } from "./show-order.ts";

const PATH = "/v2/porting_orders/:id";

/** The customer's commands on an order. */
export function orderCommandRoutes(deps: ApiDeps): CustomerRoute[] {
  return [patchRoute(deps), deleteRoute(deps), cancelRoute(deps), submitRoute(deps)];
}

/** Runs a command and returns the changed order. */
async function run(deps: ApiDeps, request: CustomerPath, command: OrderCommand) {
  const { bus } = deps;
  const { db, principal, params } = request;
  const address = { accountId: principal.accountId, orderId: params.id };
  const given = { command, actor: customerActor(principal), now: bus.clock.now() };
  return showOrder(deps, request, await commandOrder({ ...bus, db }, address, given));
}

function patchRoute(deps: ApiDeps): CustomerRoute {
  const { clock } = deps.bus;
  return PATCH(PATH, "Change an order", {
    description:
      "Reference and `webhook_url` in any open status; port date and numbers in draft and rejection. At least one number stays.",
    answers: { 200: orderAnswer },
    refuses: ["invalid_state", "webhook_url_blocked"],
    find: ownOrder,
    body: patchOrderBody,
    findMoreFaults: ({ body }, preparing) =>
      findSentChangeFaults(deps, preparing, { body, now: clock.now() }),
    prepare: async ({ body }, preparing) => {
      const now = clock.now();
      await requireFocInRange(body.foc_requested, now, () =>
        findSentChangeFaults(deps, preparing, { body, now }),
      );
      return findUrlRefusal(deps, preparing, body.webhook_url);
    },
    handle: async (request) => {
      const { body, prepared: urlRefusal } = request;
      if (urlRefusal !== null) throw patchRefusal(await ownOrder(request), body, urlRefusal);
      return run(deps, request, { command: "patch", patch: body });
    },
  });
}

function deleteRoute(deps: ApiDeps): CustomerRoute {
  return DELETE(PATH, "Delete a draft that was never submitted", {
    description: "The order is 404 afterwards; its events and deliveries stay.",
    answers: { 204: null },
    refuses: ["invalid_state"],
    find: ownOrder,
    handle: async (request) => {
      await run(deps, request, { command: "delete", by: "customer" });
      return noContent();
    },
  });
}

function cancelRoute(deps: ApiDeps): CustomerRoute {
  return POST(`${PATH}/cancel`, "Cancel an order", {
    description:
      "A draft ends at once; an order that the losing carrier has becomes cancel_pending until the carrier confirms. Too late when the port date is near, or the numbers are being moved.",
    answers: { 200: orderAnswer },
    refuses: ["invalid_state", "cancel_too_late"],
    find: ownOrder,
    body: z
      .strictObject({
        reason: optionalOrNull(textUpTo(1_000)).meta({
          description: "Why, up to 1,000 characters",
          examples: ["Ordered by mistake."],
        }),
      })
      .meta({ examples: [{ reason: "Ordered by mistake." }] }),
    handle: (request) => {
      const { reason = null } = request.body;
      const cutoffMs = deps.cancelCutoffMs;
      return run(deps, request, { command: "cancel", by: "customer", reason, cutoffMs });
    },
  });
}

function submitRoute(deps: ApiDeps): CustomerRoute {
  return POST(`${PATH}/submit`, "Submit an order for review", {
    description:
      "From draft or rejection, once readiness is true. The porting desk then reviews every value before the losing carrier sees anything.",
    answers: { 200: orderAnswer },
    refuses: ["invalid_state", "not_ready"],
    find: ownOrder,
    handle: (request) => run(deps, request, { command: "submit" }),
  });
}
