import type { PortOutRejectCode } from "./port-out.ts";

/** The facts about a requested number, read under its lock. */
export interface RequestedNumber {
  readonly port_out_lock: boolean;
  /** Until when wrong PINs lock it as well; null where they do not. */
  readonly pin_locked_until: Date | null;
  readonly port_out_pin_set: boolean;
  /** Whether the number is in another open port-out of its account. */
  readonly in_other_port_out: boolean;
}

/**
 * The first reason to reject a port-out request: a port-out lock, then the PIN, then another request; null if there is
 * none. `pinMatches` is null if no PIN was given.
 */
export function findRequestFault(
  numbers: readonly RequestedNumber[],
  pinMatches: boolean | null,
  now: Date,
): PortOutRejectCode | null {
  if (numbers.some((number) => isLocked(number, now))) return "port_locked";
  if (numbers.some((number) => number.port_out_pin_set)) {
    if (pinMatches === null) return "pin_missing";
    if (!pinMatches) return "pin_invalid";
  }
  return numbers.some((number) => number.in_other_port_out) ? "invalid_request" : null;
}

function isLocked({ port_out_lock, pin_locked_until: until }: RequestedNumber, now: Date): boolean {
  return port_out_lock || (until !== null && until > now);
}
