import type { AcknowledgedChange } from "./history.ts";

export interface DrivenOrder {
  readonly orderId: string;
  readonly accountId: string;
  /** The order's own path at the receiver, where it has a webhook_url. */
  readonly ownPath: string | null;
}

/** What the drivers did, and the answers that they got. */
export class DriverRecord {
  readonly acknowledged: AcknowledgedChange[] = [];
  readonly orders = new Map<string, DrivenOrder>();
  readonly submitted = new Set<string>();
  /** Orders that the customer asked to cancel, whatever the answer. */
  readonly cancelAsked = new Set<string>();
  /** Numbers of unanswered creations, whose order may exist. */
  readonly doubtfulNumbers = new Map<string, { accountId: string; ownPath: string | null }>();
  /** Ids of calls that the desk acknowledged. */
  readonly calls = new Set<string>();
  /** Numbers that another carrier requested. */
  readonly portOuts = new Set<string>();
  /** Messages that can never be handled, as `topic partition/offset`. */
  readonly poisoned = new Set<string>();
  doubts = 0;
  /** The longest time that a customer waited for work of the services behind the API. */
  longestWait = { ms: 0, what: "" };

  waited(what: string, sinceMs: number): void {
    const ms = performance.now() - sinceMs;
    if (ms > this.longestWait.ms) this.longestWait = { ms, what };
  }
}
