import type { PortOutRejectCode } from "./port-out.ts";

/** What is known of a number that is asked for, under its lock. */
export interface AskedNumber {
  readonly port_out_lock: boolean;
  readonly port_out_pin_set: boolean;
  /** Whether another open port-out of its account has it. */
  readonly in_other_port_out: boolean;
}

/**
 * What speaks against handing the numbers over: a lock, then the PIN, then another request; null where nothing does.
 * `pinMatches` is null where no PIN was given.
 */
export function findRequestFault(
  numbers: readonly AskedNumber[],
  pinMatches: boolean | null,
): PortOutRejectCode | null {
  if (numbers.some((number) => number.port_out_lock)) return "port_locked";
  if (numbers.some((number) => number.port_out_pin_set)) {
    if (pinMatches === null) return "pin_missing";
    if (!pinMatches) return "pin_invalid";
  }
  return numbers.some((number) => number.in_other_port_out) ? "invalid_request" : null;
}
