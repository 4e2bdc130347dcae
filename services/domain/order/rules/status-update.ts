/** What a carrier can say of an order, in our words (docs/contract/messages.md, What integrations publish). */
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
  "comment",
] as const;

export type StatusUpdateKind = (typeof STATUS_UPDATE_KINDS)[number];

/** A carrier's word about one order, mapped by carrier-adapter. */
export interface StatusUpdate {
  /** Null where no table knows the raw word. */
  readonly kind: StatusUpdateKind | null;
  /** The carrier's own word, untouched; null where it sent none. */
  readonly raw_status: string | null;
  readonly request_version: number;
  readonly occurred_at: Date;
  /** With the offset it was given. */
  readonly foc_at: string | null;
  /** Null: all numbers of the order that are not yet active, failed or cancelled. */
  readonly phone_numbers: readonly string[] | null;
  /** Why it was rejected, refused or failed: the canonical code, and the carrier's own text. */
  readonly code: string | null;
  readonly text: string | null;
  /** What the carrier wrote beside it. */
  readonly comment: { readonly id: string; readonly body: string } | null;
}

/** Why numbers failed, as a code of the exception catalogue. */
export function failureCodeOf({ code }: StatusUpdate): string {
  return code ?? "other";
}
