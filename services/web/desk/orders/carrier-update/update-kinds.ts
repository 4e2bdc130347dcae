import type { StatusUpdateKind } from "../../../../domain/order/rules/status-update.ts";

/** What a kind of status update asks for beside the carrier's word and its time. */
export interface UpdateKind {
  /** What the carrier said, as the desk would put it. */
  readonly name: string;
  readonly needsDate?: boolean;
  /** `required`: the carrier has to name a reason; `optional`: it may. */
  readonly reason?: "required" | "optional";
  /** It can be about some of the numbers. */
  readonly picksNumbers?: boolean;
  readonly needsComment?: boolean;
  /** It cannot be taken back, so it is asked twice. */
  readonly isFinal?: boolean;
}

/** The kinds in the sequence of a port. */
export const UPDATE_KINDS: Readonly<Record<StatusUpdateKind, UpdateKind>> = {
  acknowledged: { name: "It has received the request" },
  date_confirmed: { name: "It confirms a port date", needsDate: true },
  date_moved: { name: "It moves the port date", needsDate: true },
  rejected: { name: "It rejects: something must be corrected", reason: "required" },
  refused: { name: "It refuses for good", reason: "optional", isFinal: true },
  activating: { name: "It has started to move the numbers" },
  number_active: { name: "Numbers are active", picksNumbers: true, isFinal: true },
  number_failed: { name: "Numbers have failed", picksNumbers: true, reason: "required" },
  cancel_confirmed: { name: "It confirms the cancellation" },
  cancel_refused: { name: "It refuses to cancel" },
  comment: { name: "Only a comment", needsComment: true },
};
