/** The desk's case about one submission of an order. */
export interface ReviewCase {
  readonly order_id: string;
  readonly attempt: number;
  readonly account_id: string;
  readonly state: "open" | "decided" | "withdrawn";
  readonly outcome: "applied" | "superseded" | null;
  readonly claimed_by: string | null;
  readonly claimed_until: Date | null;
  readonly submitted_at: Date;
  readonly due_at: Date;
  readonly changed_slugs: readonly string[];
  readonly decided_at: Date | null;
  readonly decided_by: string | null;
}

/** The case as the desk sees it (spec/desk-api.md, GET /reviews/{order_id}). */
export function presentCase(one: ReviewCase, now: Date): Record<string, unknown> {
  const claimed = one.claimed_until !== null && one.claimed_until > now;
  return {
    order_id: one.order_id,
    attempt: one.attempt,
    state: one.state,
    outcome: one.outcome,
    claimed_by: claimed ? one.claimed_by : null,
    due_at: one.due_at.toISOString(),
    changed_slugs: one.changed_slugs,
    requirements: [],
    documents: [],
    comments: [],
    history: [],
  };
}
