import { writeAudit } from "../../domain/account/store/audit-log.ts";
import {
  APPLIED,
  ignored,
  outcomeOf,
  statusUpdateOf,
  type ReceiptOutcome,
} from "../../domain/carrier/rules/read-update.ts";
import { LOCKING_WRONG_PIN } from "../../domain/number/store/leaving-numbers.ts";
import type { Effect } from "../../domain/order/rules/effects.ts";
import { lockNamedOrders, type LockedOrders } from "../../domain/order/store/locked-orders.ts";
import { applyToOrder } from "../../domain/order/store/order-commands.ts";
import {
  receivePortOut,
  type ReceivedPortOut,
} from "../../domain/port-out/store/receive-port-out.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { Round, TogetherHandler } from "../../messages/bus/once-together.ts";
import { following, type MessageWriter } from "../../messages/bus/outgoing.ts";
import type { CarrierResult } from "../../messages/generated/carrier-result.ts";
import type { Clock } from "../../platform/clock.ts";
import { AppError } from "../../platform/errors.ts";
import { newIds } from "../../platform/ids.ts";
import { resultReceipts, writeResultReceipt } from "../receipts/result-receipts.ts";
import { applyPortOutEnding } from "../store/apply-port-out-ending.ts";

/** Applies a carrier's result to its order or its port-out, by their transition tables. */
export function onCarrierResult(
  bus: Bus,
  {
    portOutDecisionMs: decisionMs,
    confirmMs,
  }: { readonly portOutDecisionMs: number; readonly confirmMs: number },
): TogetherHandler<CarrierResult, LockedOrders> {
  return {
    lock: (tx, results) =>
      lockNamedOrders(
        tx,
        results.map((one) => (one.port_out_ref === null ? one.order_id : null)),
      ),
    handle: async ({ tx, locked, onCommit }, { message, raw }) => {
      const writer = { ...following(bus, raw), tx };
      if (message.port_out_ref !== null) {
        const portOuts = { decisionMs, onPinLock: notePinLocks(bus, onCommit) };
        const outcome = await onPortOutResult(writer, message, portOuts);
        if (outcome !== null) await writeResultReceipt(writer, { message, raw, outcome });
        return;
      }
      const order = locked.find(message.order_id);
      if (order === null) throw new AppError("unknown_order", "The result names no known order.");
      const actor = { type: "carrier", id: null, name: message.provider } as const;
      const now = bus.clock.now();
      const [comment = "", reason = ""] = newIds(now, 2);
      const update = statusUpdateOf(message, { comment, reason });
      const command = { command: "status_update", update } as const;
      const alsoSend = (effects: readonly Effect[]) =>
        resultReceipts(writer, { message, raw, outcome: outcomeOf({ order, update, effects }) });
      locked.update(
        await applyToOrder(writer, order, { command, alsoSend, actor, now, confirmMs }),
      );
    },
  };
}

/** Counts numbers that wrong PINs have locked, and notes each in the audit log of its account. */
export function notePinLocks(
  { metrics }: Pick<Bus, "metrics">,
  onCommit: Round<unknown>["onCommit"],
): PortOutOptions["onPinLock"] {
  const locked = metrics.counter({
    name: "port_out_pin_locks_total",
    help: "Numbers locked against port-outs for a day because of wrong PINs",
  });
  return (now) => async (tx, accountId, locks) => {
    for (const { phone_number, pin_locked_until } of locks) {
      await writeAudit(tx, {
        at: now,
        actor: "system",
        action: "number.pin_locked",
        accountId,
        after: { phone_number, wrong_pins: LOCKING_WRONG_PIN, pin_locked_until },
      });
      onCommit(() => locked.inc());
    }
  };
}

interface PortOutOptions {
  readonly decisionMs: number;
  readonly onPinLock: (now: Date) => ReceivedPortOut["onPinLock"];
}

/**
 * Applies a result on a port-out: its request, its withdrawal or its completion. Returns null for a request, which
 * carrier-adapter has divided by account and confirmed.
 */
async function onPortOutResult(
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
