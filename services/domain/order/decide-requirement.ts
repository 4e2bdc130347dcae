import type { DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import type { Decision } from "./story.ts";
import { add, allow, begin, change, changeRequirements, refuse } from "./story.ts";

export interface DocumentCheck {
  readonly slug: string;
  readonly document_id: string;
  readonly passed: boolean;
  /** Why it did not pass. */
  readonly detail: string | null;
}

/** What the check of a document found; one that was replaced or withdrawn meanwhile is nobody's any more. */
export function decideDocumentChecked(order: Order, check: DocumentCheck): Decision {
  const isChecked = (requirement: Order["requirements"][number]): boolean =>
    requirement.slug === check.slug &&
    requirement.document_id === check.document_id &&
    requirement.check_state === "checking";
  const story = begin(order);
  if (!order.requirements.some(isChecked)) return allow(story);
  const state = check.passed ? "passed" : "failed";
  const checked = changeRequirements(story, (requirement) =>
    isChecked(requirement)
      ? { ...requirement, check_state: state, check_detail: check.detail }
      : requirement,
  );
  const { slug, document_id, detail } = check;
  const data = { slug, document_id, check: state, detail };
  return allow(add(checked, { effect: "timeline", kind: "document", data }));
}

/** A customer wrote or emptied a field: it is in the row already, and with it whether all that is mandatory is met. */
export function decideRequirementChanged(
  order: Order,
  slug: string,
  { now }: DecisionContext,
): Decision {
  if (order.status !== "draft" && order.status !== "rejection") {
    return refuse("invalid_state", `An order in ${order.status} takes no changes of its fields.`);
  }
  const met = changeRequirements(begin(order), (requirement) => requirement);
  const changed = change(met, { updated_at: now });
  return allow(
    add(changed, { effect: "timeline", kind: "requirement", data: { slug, rewritten: true } }),
  );
}
