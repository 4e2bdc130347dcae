import { createHash } from "node:crypto";
import type { CallUpdate } from "../../messages/generated/call-update.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import { newEvent, type EventEnvelope } from "../../domain/event/rules/new-event.ts";
import type { NumberOwner } from "../../domain/number/rules/owner-at.ts";
import { AppError } from "../../platform/errors.ts";
import { timeOfId } from "../../platform/ids.ts";

/** Identifies a step of a call, which has one event: its kind and, if forwarded, the stage. A hash in UUID form. */
export function callStepOf({ provider, call_id, kind, stage }: CallUpdate): string {
  const step = kind === "forwarded" ? stage : null;
  const text = JSON.stringify([provider, call_id, kind, step]);
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** The event of an update without a `findCallFault`; its time is that of its id. */
export function callEvent(update: CallUpdate, owner: NumberOwner, eventId: string): PortingEvent {
  const { call_id, phone_number, from, to, occurred_at } = update;
  const call = { call_id, phone_number, from, to, occurred_at };
  const envelope: EventEnvelope = {
    id: eventId,
    account_id: owner.account_id,
    order_id: owner.porting_order_id,
    sequence_key: phone_number,
    order_sequence: null,
    created_at: timeOfId(eventId),
    context: { provider: update.provider, occurred_at: new Date(occurred_at), actor: "carrier" },
  };
  switch (update.kind) {
    case "forwarded": {
      const { forwarded_by, stage } = update;
      const payload = { ...call, forwarded_by: forwarded_by ?? "", stage: stage ?? "" };
      return newEvent("call.forwarded", payload, envelope);
    }
    case "completed": {
      const { duration_seconds, ended_by } = update;
      const payload = {
        ...call,
        duration_seconds: duration_seconds ?? 0,
        ended_by: ended_by ?? "",
      };
      return newEvent("call.completed", payload, envelope);
    }
    case "missed":
      return newEvent("call.missed", { ...call, reason: update.reason ?? "" }, envelope);
    case "unrecognized":
      throw new AppError("rule_broken", "This version does not know the kind.");
  }
}
