import type { Bus } from "../../messages/bus/bus.ts";
import type { CarrierResult } from "../../messages/generated/carrier-result.ts";
import { following } from "../../messages/bus/outgoing.ts";
import type { HandleOnce } from "../../messages/bus/topic-consumer.ts";
import { statusUpdateOf } from "../../domain/carrier/rules/status-update-of.ts";
import { outcomeOf } from "../../domain/carrier/rules/update-outcome.ts";
import { applyToOrder } from "../../domain/order/store/order-commands.ts";
import type { Effect } from "../../domain/order/rules/effects.ts";
import { lockOrder } from "../../domain/order/store/read-order.ts";
import { newIds } from "../../platform/ids.ts";
import { AppError } from "../../platform/errors.ts";
import { resultReceipts, writeResultReceipt } from "../receipts/write-result-receipt.ts";
import { notePinLocks } from "./note-pin-locks.ts";
import { onPortOutResult } from "./on-port-out-result.ts";

/** Applies a carrier's result to its order or its port-out, by their transition tables. */
export function onCarrierResult(
  bus: Bus,
  options: { readonly portOutDecisionMs: number },
): HandleOnce<CarrierResult> {
  const portOuts = { decisionMs: options.portOutDecisionMs, onPinLock: notePinLocks(bus) };
  return async (tx, { message, raw }) => {
    const writer = { ...following(bus, raw), tx };
    if (message.port_out_ref !== null) {
      const outcome = await onPortOutResult(writer, message, portOuts);
      if (outcome !== null) await writeResultReceipt(writer, { message, raw, outcome });
      return;
    }
    const order = message.order_id === null ? null : await lockOrder(tx, message.order_id);
    if (order === null) throw new AppError("unknown_order", "The result names no known order.");
    const actor = { type: "carrier", id: null, name: message.provider } as const;
    const now = bus.clock.now();
    const [comment = "", reason = ""] = newIds(now, 2);
    const update = statusUpdateOf(message, { comment, reason });
    const command = { command: "status_update", update } as const;
    const alsoSend = (effects: readonly Effect[]) =>
      resultReceipts(writer, { message, raw, outcome: outcomeOf({ order, update, effects }) });
    await applyToOrder(writer, order, { command, alsoSend, actor, now });
  };
}
