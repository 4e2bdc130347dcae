import { outcomeOf, readUpdate, statusUpdateOf } from "../../domain/carrier/rules/read-update.ts";
import type { Providers } from "../../domain/carrier/rules/provider.ts";
import { decide } from "../../domain/order/rules/decide.ts";
import type { NumberStatus, Order, OrderStatus } from "../../domain/order/rules/order.ts";
import type { CarrierUpdate } from "../../messages/generated/carrier-update.ts";
import type { SentEventType } from "../../messages/events.ts";
import { newIds } from "../../platform/ids.ts";

/** What a status update does to an order as it is now. */
export interface UpdateEffect {
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
