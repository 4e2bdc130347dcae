/** The kinds of a carrier's status update (docs/contract/messages.md, What integrations publish). */
export const STATUS_UPDATE_KINDS = [
  "acknowledged",
  "date_confirmed",
  "date_moved",
  "rejected",
  "refused",
  "activating",
  "number_active",
  "number_failed",
  "cancel_confirmed",
  "cancel_refused",
  "change_refused",
  "comment",
] as const;

export type StatusUpdateKind = (typeof STATUS_UPDATE_KINDS)[number];

/** A carrier's status update of one order, mapped by carrier-adapter. */
export interface StatusUpdate {
  /** Null if no table has the raw status. */
  readonly kind: StatusUpdateKind | null;
  /** The carrier's own status, unchanged; null if it sent none. */
  readonly raw_status: string | null;
  readonly request_version: number;
  readonly occurred_at: Date;
  /** With the UTC offset as sent. */
  readonly foc_at: string | null;
  /** Null means all numbers of the order that are not yet active, failed or cancelled. */
  readonly phone_numbers: readonly string[] | null;
  /** Why it was rejected, refused or failed: the canonical code, and the carrier's own text. */
  readonly code: string | null;
  readonly text: string | null;
  /** The requirement that it concerns, where the carrier names one. */
  readonly slug: string | null;
  /** A comment that the carrier sent with the update. */
  readonly comment: { readonly id: string; readonly body: string } | null;
  /** The id of the comment that publishes the reason, if no field takes it. */
  readonly reason_comment_id: string;
}

/** Why numbers failed, as a code of the exception catalogue. */
export function failureCodeOf({ code }: StatusUpdate): string {
  return code ?? "other";
}
