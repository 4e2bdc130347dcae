import { PORT_OUT_REJECT_CODES, type PortOutRejectCode } from "./port-out.ts";

/** How a requested number is protected now. */
export interface NumberProtection {
  readonly port_out_lock: boolean;
  /** Until when wrong PINs lock it as well; null where they do not. */
  readonly pin_locked_until: Date | null;
  readonly port_out_pin_set: boolean;
}

export function isLockedNumber(
  { port_out_lock, pin_locked_until: until }: Omit<NumberProtection, "port_out_pin_set">,
  now: Date,
): boolean {
  return port_out_lock || (until !== null && until > now);
}

/** What each code says; the pages show the same words. */
export const REJECT_CODE_TITLES: Readonly<Record<PortOutRejectCode, string>> = {
  account_number_invalid: "Account number wrong",
  pin_missing: "PIN missing",
  pin_invalid: "PIN wrong",
  postal_code_invalid: "Postal code wrong",
  subscriber_mismatch: "Subscriber differs",
  number_not_on_account: "Number not on the account",
  number_not_active: "Number not active",
  invalid_request: "Request invalid",
  port_locked: "Number is locked",
};

export interface RejectionCode {
  readonly code: PortOutRejectCode;
  readonly title: string;
  readonly reason_required: boolean;
  /** False where the numbers themselves show that it is not so. */
  readonly allowed: boolean;
}

/**
 * The codes for a port-out of these numbers, which its account has: a lock or a PIN that there is not cannot be the reason,
 * and nor can a number that has gone.
 */
export function rejectionCodesOf(numbers: readonly NumberProtection[], now: Date): RejectionCode[] {
  const isLocked = numbers.some((number) => isLockedNumber(number, now));
  const hasPin = numbers.some((number) => number.port_out_pin_set);
  const untrue: ReadonlySet<PortOutRejectCode> = new Set<PortOutRejectCode>([
    "number_not_on_account",
    "number_not_active",
    ...(isLocked ? [] : (["port_locked"] as const)),
    ...(hasPin ? [] : (["pin_missing", "pin_invalid"] as const)),
  ]);
  return PORT_OUT_REJECT_CODES.map((code) => ({
    code,
    title: REJECT_CODE_TITLES[code],
    reason_required: false,
    allowed: !untrue.has(code),
  }));
}

/** Why a person's rejection with the code is refused; null where it is not. */
export function rejectionFault(codes: readonly RejectionCode[], given: PortOutRejectCode) {
  const allowed = codes.flatMap((one) => (one.allowed ? [one.code] : []));
  if (allowed.includes(given)) return null;
  const detail = `It is not so of these numbers; the codes for them are ${allowed.join(", ")}.`;
  return { pointer: "#/code", code: "code_not_eligible", detail };
}
