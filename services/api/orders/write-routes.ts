import {
  newOrdersAnswer,
  orderAnswer,
  presentOrder,
} from "../../domain/order/answers/order-answer.ts";
import { decide } from "../../domain/order/rules/decide.ts";
import { dueTimesOfDrafts } from "../../domain/order/rules/next-action.ts";
import type { AppError, Fault } from "../../platform/errors.ts";
import type { Preparing } from "../../platform/http/routing/preparing.ts";
import { created } from "../../platform/http/routing/reply.ts";
import {
  customerActor,
  PATCH,
  POST,
  turnsOf,
  type CustomerPath,
  type CustomerRoute,
} from "../access/customer-routes.ts";
import { namesMany } from "../access/request-slots.ts";
import type { ApiDeps } from "../api-deps.ts";
import { checkGiven, fulfilOrder, storeGiven, type Fulfilment } from "../requirements/fulfil.ts";
import { findUnaskedFaults } from "../requirements/given-requirements.ts";
import { withDefaults } from "../numbers/defaults.ts";
import { savedIn } from "../requirement-groups/store.ts";
import {
  findSentChangeFaults,
  findSentFaults,
  findUrlRefusal,
  newOrderBody,
  orderRefusal,
  patchOrderBody,
  patchRefusal,
  requireFocInRange,
  type SentPatch,
} from "./body.ts";
import { alsoConfigure, createConfigured, requireConfigurable } from "./configure-numbers.ts";
import { createDrafts, createFilled, prepareFilled } from "./draft-orders.ts";
import {
  dateFault,
  inTurnOf,
  ownOrder,
  PATH,
  requirePossibleDate,
  runCommand,
  showOrder,
} from "./own-order.ts";

export function createOrdersRoute(deps: ApiDeps): CustomerRoute {
  const { bus, heavy } = deps;
  return POST(PATH, "Create orders, one per country, number type and losing carrier", {
    description:
      "Splits 1 to 1,000 numbers into draft orders. Nothing is created if any number is refused; the problem then has a fault for each of them. What `requirements` gives goes to each order that asks for it: such an order needs no other call before it is submitted.",
    answers: { 201: newOrdersAnswer },
    refuses: ["number_in_active_order", "quota_exceeded", "webhook_url_blocked"],
    body: newOrderBody,
    findMoreFaults: (sent, preparing) => {
      const find = () => findSentFaults(deps, preparing, { ...sent, now: bus.clock.now() });
      return namesMany(sent.body) ? heavy.run(preparing.owner, find) : find();
    },
    inSlot: ({ principal, body }, run) =>
      namesMany(body) ? heavy.run(turnsOf(principal), run) : run(),
    prepare: async ({ db, principal, body }, preparing) => {
      const now = bus.clock.now();
      const sender = { db, principal };
      await requireFocInRange(body.foc_requested, now, () =>
        findSentFaults(deps, preparing, { ...sender, body, now }),
      );
      const urlRefusal = await findUrlRefusal(deps, preparing, body.webhook_url);
      const { requirements: given = {}, requirement_group_id: groupId } = body;
      if ((body.requirements ?? groupId) === undefined) return { urlRefusal, filled: null };
      const refuse = async (planFaults: readonly Fault[], givenFaults: readonly Fault[]) => {
        if (urlRefusal === null && planFaults.length + givenFaults.length === 0) return null;
        return orderRefusal(deps, sender, { body, urlRefusal, planFaults, givenFaults });
      };
      const { accountId } = principal;
      const group = await savedIn(db, accountId, groupId);
      const gift = { db, accountId, body, given, group, now, refuse };
      return { urlRefusal, filled: await prepareFilled(deps, preparing, gift) };
    },
    handle: async ({ db, principal, body, prepared: { urlRefusal, filled } }) => {
      const refuse = (planFaults: readonly Fault[]) =>
        orderRefusal(deps, { db, principal }, { body, urlRefusal, planFaults });
      if (urlRefusal !== null) throw await refuse([]);
      const { number_configuration, phone_numbers: requested } = body;
      requireConfigurable(number_configuration, requested, principal);
      const { accountId } = principal;
      const given = await withDefaults(db, principal, number_configuration, requested);
      const { made, configured } = await createConfigured(deps, { db, given }, (open) => {
        const by = { db: open, actor: customerActor(principal) };
        return filled === null
          ? createDrafts(deps, { ...by, body, accountId })
          : createFilled(deps, filled, { ...by, requested });
      });
      if ("faults" in made) throw await refuse(made.faults);
      const { batchId, orders, skipped } = made;
      for (const { id, numbers } of orders) heavy.note(id, numbers.length);
      const due = dueTimesOfDrafts(orders, deps.expirySpans);
      const data = orders.map((order) => ({
        ...presentOrder(order, due),
        number_configuration: configured.get(order.id) ?? null,
      }));
      const beside = body.skip_invalid === true ? { skipped } : {};
      return created({ batch_id: batchId, data, ...beside }, `${PATH}/${orders[0]?.id ?? ""}`);
    },
  });
}

export function changeOrderRoute(deps: ApiDeps): CustomerRoute {
  const { bus, files } = deps;
  const { clock } = bus;
  return PATCH(`${PATH}/:id`, "Change an order", {
    description:
      "Reference, `webhook_url` and `number_configuration` in any open status; port date, numbers and `requirements` in draft and rejection. At least one number stays. Nothing is changed where anything of it is refused.",
    answers: { 200: orderAnswer },
    refuses: ["invalid_state", "quota_exceeded", "webhook_url_blocked"],
    find: ownOrder,
    body: patchOrderBody,
    inSlot: inTurnOf(deps),
    findMoreFaults: ({ body }, preparing) =>
      findSentChangeFaults(deps, preparing, { body, now: clock.now() }),
    prepare: async (request, preparing) => {
      const { body } = request;
      const now = clock.now();
      const { patch, requirements, requirement_group_id: groupId } = body;
      await requireFocInRange(patch.foc_requested, now, () =>
        findSentChangeFaults(deps, preparing, { body: patch, now }),
      );
      const urlRefusal = await findUrlRefusal(deps, preparing, patch.webhook_url);
      if ((requirements ?? groupId) === undefined) return { urlRefusal, fulfilment: null };
      const fulfilment = await prepareChange(deps, preparing, { ...request, urlRefusal });
      return { urlRefusal, fulfilment };
    },
    handle: async (request) => {
      const { db, principal, params, body, prepared } = request;
      const { urlRefusal, fulfilment } = prepared;
      const { patch, number_configuration } = body;
      if (urlRefusal !== null)
        throw patchRefusal(await ownOrder(request), patch, { urlRefusal }) ?? urlRefusal;
      if (fulfilment === null && patch.foc_requested != null) {
        requirePossibleDate(deps, await ownOrder(request), patch);
      }
      const command = { command: "patch", patch } as const;
      const also = alsoConfigure(deps, principal, number_configuration);
      if (fulfilment === null) return runCommand(deps, request, command, also);
      const address = { accountId: principal.accountId, orderId: params.id };
      const by = { actor: customerActor(principal), now: clock.now() };
      const before = Object.keys(patch).length === 0 ? [] : [command];
      const fulfilled = { fulfilment, before, ...by, ...(also && { also }) };
      return showOrder(deps, request, await fulfilOrder({ ...bus, db, files }, address, fulfilled));
    },
  });
}

interface Change extends CustomerPath {
  readonly body: SentPatch;
  readonly urlRefusal: AppError | null;
}

/** What a change gives the order's requirements. @throws `validation_failed` with every fault; `invalid_state` */
async function prepareChange(
  deps: ApiDeps,
  preparing: Preparing,
  { db, principal, params, body, urlRefusal }: Change,
): Promise<Fulfilment | null> {
  const { patch, requirements: given = {}, requirement_group_id: groupId } = body;
  const order = await ownOrder({ db, principal, params });
  const context = { actor: customerActor(principal), now: deps.bus.clock.now() };
  const patched = decide(order, { command: "patch", patch }, context);
  const orders = [patched.allowed ? patched.order : order];
  const { accountId } = principal;
  const group = await savedIn(db, accountId, groupId);
  const to = { db, accountId, orders, given, saved: group.saved };
  const checked = await checkGiven(deps, preparing, to);
  const date = dateFault(deps, order, { ...patch, requirements: { ...group.saved, ...given } });
  const more = [
    ...(date === null ? [] : [date]),
    ...group.faults,
    ...findUnaskedFaults(given, orders),
    ...checked.flatMap(({ faults }) => faults),
  ];
  const refusal = patchRefusal(order, patch, { urlRefusal, more });
  if (refusal !== null) throw refusal;
  return (await storeGiven(deps, to, checked)).get(order.id) ?? null;
}
