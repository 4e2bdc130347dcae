import { findExceptionCode } from "./exception-catalogue.ts";
import type { ClosedReason } from "./order.ts";
import type { StatusUpdate } from "./status-update.ts";

/** Why the clock ended an order: a draft or a rejection that nobody touched in time. */
export const DRAFT_EXPIRED: ClosedReason = {
  code: "draft_expired",
  detail: "The draft was not submitted in time.",
  raised_by: "system",
};
export const REJECTION_EXPIRED: ClosedReason = {
  code: "rejection_expired",
  detail: "The rejection was not resolved in time.",
  raised_by: "system",
};
export const DRAFT_DELETED: ClosedReason = {
  code: null,
  detail: "The customer deleted the draft.",
  raised_by: "customer",
};

const NO_REASON_GIVEN = {
  customer: "The customer gave no reason.",
  desk: "The porting desk gave no reason.",
} as const;

/** The reason of a cancellation in the words of who asked for it. */
export function reasonOfCancel(by: "customer" | "ops", words: string | null): ClosedReason {
  const raised_by = by === "ops" ? "desk" : by;
  return { code: null, detail: words ?? NO_REASON_GIVEN[raised_by], raised_by };
}

/** How a carrier can end an order for good. */
type CarrierEnding = "carrier_rejected" | "carrier_refused" | "cancel_confirmed";

const UNEXPLAINED = {
  carrier_rejected: "The losing carrier rejected the order and gave no reason.",
  carrier_refused: "The losing carrier refused the order and gave no reason.",
  cancel_confirmed: "The losing carrier cancelled the order and gave no reason.",
} as const satisfies Record<CarrierEnding, string>;

/** The carrier's reason in its own words, else the catalogue's. */
export function reasonOfCarrier(
  by: CarrierEnding,
  { code, text }: Pick<StatusUpdate, "code" | "text">,
): ClosedReason {
  const known = findExceptionCode(code);
  const fallback = code === null ? UNEXPLAINED[by] : known.detail;
  return {
    code: known.code,
    detail: text === null || text === "" ? fallback : text,
    raised_by: "carrier",
  };
}
