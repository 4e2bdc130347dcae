import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { LOCKING_WRONG_PIN } from "../../domain/number/store/leaving-numbers.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { Round } from "../../messages/bus/once-together.ts";
import type { PortOutOptions } from "./on-port-out-result.ts";

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
