import type { AcknowledgedChange } from "./history.ts";

export interface DrivenOrder {
  readonly orderId: string;
  readonly accountId: string;
  /** The order's own path at the receiver, where it has a webhook_url. */
  readonly ownPath: string | null;
}

/** What the driver did and was told. */
export class DriverRecord {
  readonly acknowledged: AcknowledgedChange[] = [];
  readonly orders = new Map<string, DrivenOrder>();
  readonly submitted = new Set<string>();
  /** Orders that the customer asked to cancel, whatever the answer. */
  readonly cancelAsked = new Set<string>();
  /** Numbers of creations that nobody answered: the order may exist. */
  readonly doubtfulNumbers = new Map<string, { accountId: string; ownPath: string | null }>();
  /** Ids of calls that the desk said to have played. */
  readonly calls = new Set<string>();
  /** Numbers that were asked for by another carrier. */
  readonly portOuts = new Set<string>();
  doubts = 0;
}
