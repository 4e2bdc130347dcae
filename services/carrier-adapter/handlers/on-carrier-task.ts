import type { Bus } from "../../messages/bus.ts";
import type { CarrierTask } from "../../messages/generated/carrier-task.ts";
import { outgoing } from "../../messages/outgoing.ts";
import type { HandleOnce } from "../../messages/topic-consumer.ts";
import { recordRequest } from "../../domain/carrier/carrier-request-store.ts";
import { lockOrder } from "../../domain/order/order-read-store.ts";
import { AppError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";

/** Turns a task into the request that the order's carrier integration gets, with the values of this moment. */
export function onCarrierTask(bus: Bus): HandleOnce<CarrierTask> {
  return async (tx, { message: task }) => {
    const order = task.order_id === null ? null : await lockOrder(tx, task.order_id);
    if (order === null) throw new AppError("unknown_order", "The task names no known order.");
    const now = bus.clock.now();
    await recordRequest(tx, {
      request_id: task.request_id,
      order_id: order.id,
      request_version: task.request_version,
      provider: task.provider,
      kind: task.kind,
      sent_at: now,
    });
    const request = {
      request_id: task.request_id,
      provider: task.provider,
      kind: task.kind,
      order_id: order.id,
      request_version: task.request_version,
      phone_numbers: order.numbers.map((number) => number.phone_number),
      requirements: [],
      documents: [],
      foc_requested: order.foc_requested,
      foc_actual: order.foc_actual,
    };
    const address = { key: order.id, messageId: newId(now) };
    const message = outgoing(bus, "carriers.requests", request, address);
    await writeOutbox(tx, [{ ...message, headers: { provider: task.provider } }]);
  };
}
