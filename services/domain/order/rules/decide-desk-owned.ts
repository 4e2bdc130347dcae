import { withComment } from "./decide-comment.ts";
import { decideSubmit } from "./decide-customer.ts";
import { withFieldInException } from "./decide-review.ts";
import { isDesksOwn } from "./desk-owned.ts";
import type { Comment, DecisionContext } from "./effects.ts";
import { add, allow, begin, change, refuse, type Decision } from "./order-decision.ts";
import type { Order } from "./order.ts";

function refuseOther({ status }: Order): Decision {
  const detail = `The order is not in the desk's hands: it is in ${status}, without an exception that the desk owns.`;
  return refuse("invalid_state", detail);
}

/** The desk has settled with the carrier: the order is submitted again as it is, with a note for colleagues. */
export function decideResubmit(order: Order, note: string, context: DecisionContext): Decision {
  if (!isDesksOwn(order)) return refuseOther(order);
  const submitted = decideSubmit(order, {}, context);
  if (!submitted.allowed) return submitted;
  const data = { author_type: "ops", body: note };
  return allow(add(submitted, { effect: "timeline", kind: "comment", data, internal: true }));
}

/** What the customer has to do after all. */
export interface HandOver {
  readonly code: string;
  readonly slug: string | null;
  /** Tells the customer where no requirement takes it. */
  readonly comment: Comment;
}

/** The desk hands an order over to its customer, who has to correct it; from now on it expires. */
export function decideHandOver(
  order: Order,
  { code, slug, comment }: HandOver,
  { now }: DecisionContext,
): Decision {
  if (!isDesksOwn(order)) return refuseOther(order);
  const detail = comment.body;
  const exception = {
    code,
    detail,
    slug,
    raised_by: "desk",
    raised_at: now.toISOString(),
  } as const;
  const handed = change(begin(order), {
    exceptions: [exception],
    attention: null,
    updated_at: now,
  });
  if (slug === null) return allow(withComment(handed, comment, now));
  return allow(withFieldInException(handed, { slug, reason: detail, phone_numbers: null }));
}
