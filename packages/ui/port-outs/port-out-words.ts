import type {
  PortOutRejectCode,
  PortOutStatus,
} from "../../../services/domain/port-out/rules/port-out.ts";
import type { Tone } from "../badge.tsx";

export const PORT_OUT_WORDS: Readonly<
  Record<PortOutStatus, { readonly name: string; readonly tone: Tone }>
> = {
  requested: { name: "Requested", tone: "neutral" },
  decision_required: { name: "To decide", tone: "warning" },
  approved: { name: "Approved", tone: "good" },
  rejected: { name: "Rejected", tone: "bad" },
  expired: { name: "Expired: goes ahead", tone: "info" },
  cancelled: { name: "Cancelled", tone: "neutral" },
  ported_out: { name: "Ported out", tone: "neutral" },
};

export const REJECT_CODE_NAMES: Readonly<Record<PortOutRejectCode, string>> = {
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
