import type { ReceivedUpdate } from "./carrier-steps.ts";
import { withComment } from "./decide-comment.ts";
import { findExceptionCode } from "./exception-catalogue.ts";
import type { OrderDecision } from "./order-decision.ts";

/** A carrier's reason: its canonical code, and its text or else the catalogue's. */
export interface StatedReason {
  readonly code: string | null;
  readonly detail: string;
}

/**
 * Publishes the reasons that no requirement takes as a carrier's comment, one line each, so that whoever follows the
 * events alone learns them too.
 */
export function withReasonComment(
  decision: OrderDecision,
  reasons: readonly StatedReason[],
  { update, now }: ReceivedUpdate,
): OrderDecision {
  if (reasons.length === 0) return decision;
  const body = reasons
    .map(({ code, detail }) => `${findExceptionCode(code).title}: ${detail}`)
    .join("\n");
  const id = update.reason_comment_id;
  return withComment(decision, { id, body, author_type: "carrier", author_id: null }, now);
}
