import { recordRequest } from "../store/carrier-requests.ts";
import { readHostedNumber } from "../store/hosted-number.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { CarrierTask } from "../../messages/generated/carrier-task.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";

/** Asks the carrier that hosts a number to apply its present forwarding. */
export async function applyForwarding(bus: Bus, tx: Queryable, task: CarrierTask): Promise<void> {
  const { phone_number: phoneNumber, provider } = task;
  if (phoneNumber === null) throw new AppError("rule_broken", "Forwarding needs phone_number.");
  const number = await readHostedNumber(tx, phoneNumber);
  // A number that has moved to another carrier has a task of its own there.
  if (number?.provider !== provider) return;
  const now = bus.clock.now();
  const requestedAt = await recordRequest(tx, {
    request_id: task.request_id,
    order_id: null,
    request_version: null,
    provider,
    kind: task.kind,
    sent_at: now,
  });
  const request = {
    request_id: task.request_id,
    provider,
    requested_at: requestedAt.getTime(),
    kind: task.kind,
    phone_numbers: [phoneNumber],
    forwarding: {
      primary: number.forwarding?.primary ?? null,
      fallback: number.forwarding?.fallback ?? null,
    },
  };
  const address = { key: phoneNumber, messageId: newId(now) };
  const message = outgoing(bus, "carriers.requests", { ...address, message: request });
  await writeOutbox(tx, [{ ...message, headers: { ...message.headers, provider } }]);
}
