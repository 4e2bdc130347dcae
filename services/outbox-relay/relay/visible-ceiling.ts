import type { OutboxHorizon } from "../reconcile/store/reconcile-step.ts";

/**
 * Ids are drawn before they are committed, so a row may appear below others seen long ago. An id drawn
 * before one look belongs to a transaction that started before the next look; once all of those have
 * ended, no further row can appear at or below it.
 */
export class VisibleCeiling {
  #ceiling = 0;
  #candidate: { readonly id: number; readonly horizon: number | null } | null = null;

  /** Takes a new look; returns the highest id known to have every row at or below it visible. */
  look(now: OutboxHorizon): number {
    const candidate = this.#candidate;
    if (candidate === null) {
      this.#candidate = { id: now.highest, horizon: null };
      return this.#ceiling;
    }
    const horizon = candidate.horizon ?? now.next_transaction;
    if (now.oldest_transaction >= horizon) {
      this.#ceiling = candidate.id;
      this.#candidate = { id: now.highest, horizon: null };
    } else {
      this.#candidate = { id: candidate.id, horizon };
    }
    return this.#ceiling;
  }
}
