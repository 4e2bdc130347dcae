import { APPLIED, ignored, type ReceiptOutcome } from "../../domain/carrier/rules/read-update.ts";
import type { CarrierResult } from "../../messages/generated/carrier-result.ts";
import {
  receivePortOut,
  type ReceivedPortOut,
} from "../../domain/port-out/store/receive-port-out.ts";
import type { MessageWriter } from "../../messages/bus/outgoing.ts";
import { applyPortOutEnding } from "../store/apply-port-out-ending.ts";
import type { Clock } from "../../platform/clock.ts";
import { AppError } from "../../platform/errors.ts";

export interface PortOutOptions {
  readonly decisionMs: number;
  readonly onPinLock: (now: Date) => ReceivedPortOut["onPinLock"];
}

/**
 * Applies a result on a port-out: its request, its withdrawal or its completion. Returns null for a request, which
 * carrier-adapter has divided by account and confirmed.
 */
export async function onPortOutResult(
  writer: MessageWriter & { readonly clock: Clock },
  message: CarrierResult,
  { decisionMs, onPinLock }: PortOutOptions,
): Promise<ReceiptOutcome | null> {
  const now = writer.clock.now();
  const common = {
    provider: message.provider,
    port_out_ref: message.port_out_ref ?? "",
    phone_numbers: message.phone_numbers ?? [],
    foc_at: message.foc_at,
    provider_status: message.raw_status ?? "",
    occurred_at: new Date(message.occurred_at),
  };
  const { kind } = message;
  if (kind === "port_out_requested") {
    const request = {
      ...common,
      gaining_carrier: message.gaining_carrier ?? "",
      requested_foc: message.requested_foc ?? "",
      pin_matches: message.pin_matches,
    };
    const deadline = decisionDeadline(now, decisionMs);
    await receivePortOut(writer, request, { now, deadline, onPinLock: onPinLock(now) });
    return null;
  }
  if (kind === "port_out_cancelled" || kind === "port_out_completed") {
    const ending = kind === "port_out_cancelled" ? "cancelled" : "completed";
    const moved = await applyPortOutEnding(writer, { ...common, kind: ending }, now);
    return moved ? APPLIED : ignored("no_effect", `No port-out was left to be ${ending}.`);
  }
  throw new AppError("rule_broken", "The kind does not apply to a port-out.");
}

/** When a port-out that is requested now goes on without a decision. */
export function decisionDeadline(now: Date, decisionMs: number): Date {
  return new Date(now.getTime() + decisionMs);
}
