import { recordRequest } from "../store/carrier-requests.ts";
import { readPortOutAnswer } from "../../domain/port-out/store/receive-port-out.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { CarrierTask } from "../../messages/generated/carrier-task.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { isUuid, newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";

/** Sends the decision to the carrier that requested the port-out; nothing where it has withdrawn the request since. */
export async function answerPortOut(bus: Bus, tx: Queryable, task: CarrierTask): Promise<void> {
  const { port_out_id: id, phone_number: key } = task;
  if (id === null || key === null) {
    throw new AppError("rule_broken", "A port-out decision needs port_out_id and phone_number.");
  }
  if (!isUuid(id)) throw new AppError("unknown_port_out", `There is no port-out ${id}.`);
  const answer = await readPortOutAnswer(tx, id);
  if (answer === null) return;
  const now = bus.clock.now();
  const requestedAt = await recordRequest(tx, {
    request_id: task.request_id,
    order_id: null,
    request_version: null,
    provider: answer.provider,
    kind: task.kind,
    sent_at: now,
  });
  const { provider, phone_numbers, port_out_ref, approved, code, reason } = answer;
  const request = {
    request_id: task.request_id,
    provider,
    requested_at: requestedAt.getTime(),
    kind: task.kind,
    phone_numbers,
    foc_requested: answer.requested_foc,
    foc_actual: answer.foc_actual,
    port_out: { port_out_ref, approved, code, reason },
  };
  const message = outgoing(bus, "carriers.requests", {
    key,
    messageId: newId(now),
    message: request,
  });
  await writeOutbox(tx, [{ ...message, headers: { ...message.headers, provider } }]);
}
