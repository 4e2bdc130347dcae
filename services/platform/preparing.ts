declare const preparing: unique symbol;

/**
 * Proof that no database connection is held: only a request's `prepare` step is given one, before its transaction
 * begins. What waits for strangers, prints or hashes asks for it, so that it cannot be called anywhere else.
 */
export interface Preparing {
  readonly [preparing]: true;
  /** On whose behalf: who waits takes turns with others of the same account. */
  readonly owner: string;
}

/** For who runs `prepare` steps: the HTTP pipeline, and tests of what asks for the proof. */
export function prepareFor(owner: string): Preparing {
  return { owner } as Preparing;
}

/** What was prepared does not fit any more: what it was made from has changed since. */
export class StalePreparation extends Error {
  constructor() {
    super("what was prepared has changed since");
    this.name = "StalePreparation";
  }
}
