import { createHash } from "node:crypto";
import type { Bus } from "../../messages/bus.ts";
import type { CarrierUpdate } from "../../messages/generated/carrier-update.ts";
import { outgoing } from "../../messages/outgoing.ts";
import type { HandleOnce } from "../../messages/topic-consumer.ts";
import { findCarrierRuleFault } from "../../domain/carrier/carrier-rules.ts";
import { claimUpdate, wasSent } from "../../domain/carrier/carrier-request-store.ts";
import { lockOrder } from "../../domain/order/order-read-store.ts";
import { AppError } from "../../platform/errors.ts";
import { isUuid, newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";

function contentHash(update: CarrierUpdate): Buffer {
  return createHash("sha256").update(JSON.stringify(update)).digest();
}

/** Checks that the word is its carrier's to say, once, and passes it on to order-lifecycle. */
export function onCarrierUpdate(bus: Bus): HandleOnce<CarrierUpdate> {
  return async (tx, { message: update }) => {
    const order = isUuid(update.order_id) ? await lockOrder(tx, update.order_id) : null;
    if (order === null) throw new AppError("unknown_order", "The update names no known order.");
    const { provider, request_version: version } = update;
    if (provider !== order.provider || !(await wasSent(tx, { orderId: order.id, version }))) {
      throw new AppError("provider_mismatch", "The order was not sent there in that version.");
    }
    const fault = findCarrierRuleFault(update, order);
    if (fault !== null) throw new AppError("rule_broken", fault.detail);
    const now = bus.clock.now();
    const first = await claimUpdate(tx, {
      provider,
      updateId: update.update_id,
      orderId: order.id,
      contentHash: contentHash(update),
      at: now,
    });
    if (!first) return;
    const result = {
      provider,
      update_id: update.update_id,
      kind: update.kind,
      raw_status: update.raw_status,
      order_id: order.id,
      request_version: version,
      code: update.rejection?.raw_code ?? null,
      text: update.rejection?.raw_text ?? null,
      foc_at: update.foc_at,
      phone_numbers: update.phone_numbers,
      comment: update.comment,
      occurred_at: update.occurred_at,
    };
    const address = { key: order.id, messageId: newId(now) };
    await writeOutbox(tx, [outgoing(bus, "porting.carrier-results", result, address)]);
  };
}
