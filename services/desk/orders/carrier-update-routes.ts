import type { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import {
  faultAt,
  findCarrierRuleFault,
  type CarrierRuleFault,
} from "../../domain/carrier/rules/carrier-faults.ts";
import type { Providers } from "../../domain/carrier/rules/provider.ts";
import {
  kindOf,
  namedCode,
  outcomeOf,
  readUpdate,
  statusUpdateOf,
} from "../../domain/carrier/rules/read-update.ts";
import { decide } from "../../domain/order/rules/decide.ts";
import type { NumberStatus, Order, OrderStatus } from "../../domain/order/rules/order.ts";
import { lockAnyOrder } from "../../domain/order/store/read-order.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import type { SentEventType } from "../../messages/events.ts";
import type { CarrierUpdate } from "../../messages/generated/carrier-update.ts";
import { PLATFORM_PROVIDER } from "../../messages/platform-provider.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { accepted, ok } from "../../platform/http/routing/reply.ts";
import { newIds } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import { byOperator, reviewer, type DeskPath, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { carrierUpdateAnswer, carrierUpdateBody, dryUpdateAnswer } from "./answers.ts";
import { findAnyOrder } from "./store/find-orders.ts";
import { findUnknownSlug } from "./unknown-slug.ts";

type UpdateBody = z.output<typeof carrierUpdateBody>;

/** A status update that came by mail or phone, published by an operator on the carrier's topic. */
export function carrierUpdateRoutes(desk: DeskDeps): DeskRoute[] {
  return [
    reviewer.POST(
      "/desk/v1/orders/:id/carrier_updates",
      "Record a status update that came by mail or phone",
      {
        description:
          "The effect is on the order as it is now. With `dry_run` it is all that the answer has, and nothing happens; else the update is published with the order's provider, and the order follows within a second.",
        answers: { 200: dryUpdateAnswer, 202: carrierUpdateAnswer },
        refuses: ["invalid_state"],
        body: carrierUpdateBody,
        find: ({ db, params }) => findAnyOrder(db, params.id),
        handle: async (request) => {
          const { db } = request;
          const { dry_run: isDry, ...body } = request.body;
          if (isDry) {
            const order = await findAnyOrder(db, request.params.id);
            return ok({ effect: read(desk, { order, body, request }).effect });
          }
          const { update, effect } = await inTransaction(db, (tx) =>
            publish(tx, desk, { body, request }),
          );
          return accepted({ update_id: update.update_id, effect });
        },
      },
    ),
  ];
}

interface Given {
  readonly body: Omit<UpdateBody, "dry_run">;
  readonly request: DeskPath;
}

interface ReadUpdate {
  readonly update: CarrierUpdate;
  readonly effect: UpdateEffect;
  readonly messageId: string;
  readonly now: Date;
}

/**
 * Checks the update against the order and decides its effect; faults of the update come before the order's state.
 * @throws `validation_failed`, `invalid_state`
 */
function read(
  { bus, providers }: DeskDeps,
  { order, body, request }: Given & { readonly order: Order },
): ReadUpdate {
  const now = bus.clock.now();
  const requestVersion = Math.max(1, order.request_version);
  const [updateId = "", messageId = ""] = newIds(now, 2);
  const update = {
    update_id: updateId,
    provider: order.provider,
    order_id: order.id,
    request_version: body.request_version ?? requestVersion,
    occurred_at: body.occurred_at === undefined ? now.getTime() : Date.parse(body.occurred_at),
    raw_status: body.raw_status,
    kind: body.kind ?? null,
    foc_at: body.foc_at ?? null,
    rejection:
      body.rejection == null ? null : { ...body.rejection, slug: body.rejection.slug ?? null },
    phone_numbers: body.phone_numbers ?? null,
    comment: body.comment ?? null,
    operator_id: request.principal.operatorId,
  };
  const ruled = { ...update, kind: kindOf(providers, update) };
  const sent = { ...order, request_version: requestVersion };
  const mistyped =
    findUnknownCode(providers, update) ??
    findUnknownSlug(order, update.rejection?.slug ?? null, "rejection/slug");
  refuseFault(mistyped ?? findCarrierRuleFault(ruled, sent, now));
  refuseState(order);
  return { update, effect: effectOf(order, update, { providers, now }), messageId, now };
}

/** No report by mail or phone replaces the decision of an account here that has the numbers. */
function refuseState({ request_version: version, provider }: Order): void {
  if (version === 0) {
    throw new AppError("invalid_state", "The order was never sent to a carrier.");
  }
  if (provider === PLATFORM_PROVIDER) {
    const detail = "An account here holds the order's numbers: decide on its port-out instead.";
    throw new AppError("invalid_state", detail);
  }
}

function refuseFault(fault: CarrierRuleFault | null): void {
  if (fault === null) return;
  const detail = `${fault.pointer.slice(2)}: ${fault.detail}`;
  throw new AppError("validation_failed", detail, { faults: [fault] });
}

async function publish(
  tx: Queryable,
  desk: DeskDeps,
  { body, request }: Given,
): Promise<ReadUpdate> {
  const order = await lockAnyOrder(tx, request.params.id);
  const given = read(desk, { order, body, request });
  const { update, effect, messageId, now } = given;
  const address = { key: order.id, messageId };
  await writeOutbox(tx, [outgoing(desk.bus, "carriers.updates", { ...address, message: update })]);
  await writeAudit(tx, {
    ...byOperator(request, now),
    action: "order.carrier_update",
    accountId: order.account_id,
    portingOrderId: order.id,
    before: { status: order.status, provider_status: order.provider_status },
    after: { ...body, update_id: update.update_id, effect },
  });
  return given;
}

/** A carrier's program may know codes that we do not; an operator who enters one has mistyped it. */
function findUnknownCode(
  providers: Providers,
  { provider, rejection }: Pick<CarrierUpdate, "provider" | "rejection">,
): CarrierRuleFault | null {
  if (rejection === null) return null;
  const { raw_code: code } = rejection;
  if (namedCode(providers, provider, code) !== undefined) return null;
  return faultAt(
    "rejection/raw_code",
    "unknown_code",
    `Neither ${provider} nor GET /v2/porting_exceptions has the code ${JSON.stringify(code)}; "other" is for a reason without one.`,
  );
}

/** What a status update does to an order as it is now. */
interface UpdateEffect {
  readonly status: OrderStatus;
  readonly numbers: readonly { readonly phone_number: string; readonly status: NumberStatus }[];
  readonly events: readonly SentEventType[];
  /** Null where the update has an effect. */
  readonly ignored: { readonly code: string; readonly detail: string } | null;
}

/** Decides the status update as order-lifecycle will, read as carrier-adapter will, and changes nothing. */
export function effectOf(
  order: Order,
  received: CarrierUpdate,
  { providers, now }: { readonly providers: Providers; readonly now: Date },
): UpdateEffect {
  const [comment = "", reason = ""] = newIds(now, 2);
  const update = statusUpdateOf(readUpdate(providers, received), { comment, reason });
  const actor = { type: "carrier", id: null, name: order.provider } as const;
  const decision = decide(order, { command: "status_update", update }, { actor, now });
  if (!decision.allowed) throw new TypeError("A carrier's status update is never refused.");
  const { order: after, effects } = decision;
  const outcome = outcomeOf({ order, update, effects });
  const before = new Map(order.numbers.map((one) => [one.phone_number, one.status]));
  return {
    status: after.status,
    numbers: after.numbers
      .filter((one) => before.get(one.phone_number) !== one.status)
      .map(({ phone_number, status }) => ({ phone_number, status })),
    events: effects.flatMap((one) => (one.effect === "event" ? [one.type] : [])),
    ignored: outcome.outcome === "applied" ? null : { code: outcome.code, detail: outcome.detail },
  };
}
