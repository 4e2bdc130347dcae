import type { PortOutStatus } from "../../../services/domain/port-out/rules/port-out.ts";
import type { Requester } from "../../../services/domain/port-out/rules/requester.ts";
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

/** What a gaining carrier states of its order and its customer. */
export const REQUESTER_WORDS: Readonly<Record<keyof Requester, string>> = {
  pon: "Order number (PON)",
  spid: "SPID",
  account_number: "Account number",
  postal_code: "Postal code",
  subscriber_name: "Account holder",
  service_address: "Service address",
  authorized_name: "Authorized by",
};

type Fact = readonly [name: string, value: string];

/** What is stated, as facts of the port-out. */
export function requesterFacts(requester: Requester | null): readonly Fact[] {
  const names = Object.keys(REQUESTER_WORDS) as (keyof Requester)[];
  return names.flatMap((name): Fact[] => {
    const value = requester?.[name] ?? null;
    return value === null ? [] : [[REQUESTER_WORDS[name], value]];
  });
}
