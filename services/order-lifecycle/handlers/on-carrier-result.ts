import type { Bus } from "../../messages/bus/bus.ts";
import type { CarrierResult } from "../../messages/generated/carrier-result.ts";
import { following } from "../../messages/bus/outgoing.ts";
import type { TogetherHandler } from "../../messages/bus/once-together.ts";
import { outcomeOf, statusUpdateOf } from "../../domain/carrier/rules/read-update.ts";
import { applyToOrder } from "../../domain/order/store/order-commands.ts";
import type { Effect } from "../../domain/order/rules/effects.ts";
import { lockNamedOrders, type LockedOrders } from "../../domain/order/store/locked-orders.ts";
import { newIds } from "../../platform/ids.ts";
import { AppError } from "../../platform/errors.ts";
import { resultReceipts, writeResultReceipt } from "../receipts/write-result-receipt.ts";
import { notePinLocks } from "./note-pin-locks.ts";
import { onPortOutResult } from "./on-port-out-result.ts";

/** Applies a carrier's result to its order or its port-out, by their transition tables. */
export function onCarrierResult(
  bus: Bus,
  { portOutDecisionMs: decisionMs }: { readonly portOutDecisionMs: number },
): TogetherHandler<CarrierResult, LockedOrders> {
  return {
    hold: (tx, results) =>
      lockNamedOrders(
        tx,
        results.map((one) => (one.port_out_ref === null ? one.order_id : null)),
      ),
    handle: async ({ tx, held, onCommit }, { message, raw }) => {
      const writer = { ...following(bus, raw), tx };
      if (message.port_out_ref !== null) {
        const portOuts = { decisionMs, onPinLock: notePinLocks(bus, onCommit) };
        const outcome = await onPortOutResult(writer, message, portOuts);
        if (outcome !== null) await writeResultReceipt(writer, { message, raw, outcome });
        return;
      }
      const order = held.find(message.order_id);
      if (order === null) throw new AppError("unknown_order", "The result names no known order.");
      const actor = { type: "carrier", id: null, name: message.provider } as const;
      const now = held.timeOfChange(order, bus.clock.now());
      const [comment = "", reason = ""] = newIds(now, 2);
      const update = statusUpdateOf(message, { comment, reason });
      const command = { command: "status_update", update } as const;
      const alsoSend = (effects: readonly Effect[]) =>
        resultReceipts(writer, { message, raw, outcome: outcomeOf({ order, update, effects }) });
      held.update(await applyToOrder(writer, order, { command, alsoSend, actor, now }));
    },
  };
}
