import type { Fault } from "../../../platform/errors.ts";
import { whyWithDesk } from "./desk-owned.ts";
import type { DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import { isTooOld, tooOld } from "../../requirement/rules/readiness.ts";
import { emptyNumberValue, withValues } from "../../requirement/rules/number-values.ts";
import type { OrderRequirement, RequirementContent } from "../../requirement/rules/requirement.ts";
import {
  add,
  allow,
  begin,
  change as changeOrder,
  changeRequirements,
  refuse,
  refuseRequest,
  type Decision,
  type OrderDecision,
} from "./order-decision.ts";
import { isEditable, UNDER_REVIEW } from "./status-facts.ts";

export interface DocumentCheck {
  readonly slug: string;
  readonly document_id: string;
  readonly passed: boolean;
  /** Why the document did not pass; null if it did. */
  readonly code: string | null;
  readonly detail: string | null;
}

/**
 * Applies the result of a document check; ignored if the document was replaced or removed in the meantime. One that had
 * passed can still fail, as long as no carrier has it: the virus scanner may answer late.
 */
export function decideDocumentChecked(order: Order, check: DocumentCheck): Decision {
  const failsLate = !check.passed && (isEditable(order) || UNDER_REVIEW.includes(order.status));
  const isChecked = (requirement: Order["requirements"][number]): boolean =>
    requirement.slug === check.slug &&
    requirement.document_id === check.document_id &&
    (requirement.check_state === "checking" || (requirement.check_state === "passed" && failsLate));
  const decision = begin(order);
  if (!order.requirements.some(isChecked)) return allow(decision);
  const state = check.passed ? "passed" : "failed";
  const checked = changeRequirements(decision, (requirement) =>
    isChecked(requirement)
      ? { ...requirement, check_state: state, check_code: check.code, check_detail: check.detail }
      : requirement,
  );
  const { slug, document_id, code, detail } = check;
  const data = { slug, document_id, check: state, code, detail };
  return allow(add(checked, { effect: "timeline", kind: "document", data }));
}

interface RequirementChange {
  readonly slug: string;
  readonly content: RequirementContent;
}

/** Why the requirements of the order cannot be changed now; null if they can. */
export function whyUnchangeable(order: Order): string | null {
  if (isEditable(order)) return whyWithDesk(order);
  return `The requirements of an order in ${order.status} cannot be changed; only in draft and rejection can they.`;
}

/** Applies a customer's change of a field. Other fields do not change, including the letter of authorization. */
export function decideRequirementChanged(
  order: Order,
  change: RequirementChange,
  { now }: DecisionContext,
): Decision {
  const { slug, content } = change;
  const why = whyUnchangeable(order);
  if (why !== null) return refuse("invalid_state", why);
  const requirement = order.requirements.find((one) => one.slug === slug);
  if (requirement === undefined)
    return refuse("invalid_state", "The order has no such requirement.");
  if (clears(content) && requirement.mandatory) {
    return refuse(
      "invalid_state",
      "A mandatory requirement cannot be cleared; change its value instead.",
    );
  }
  const faults = ageFaults(requirement, content, now);
  if (faults.length > 0) return refuseRequest("The document is not accepted.", faults);
  const unknown = content.kind === "values" ? unknownNumbers(order, [...content.shown.keys()]) : [];
  if (unknown.length > 0) return refuseRequest("The values are not accepted.", unknown);
  return allow(askForCheck(rewriteField(begin(order), change, now), change));
}

function clears(content: RequirementContent): boolean {
  if (content.kind === "values") return [...content.shown.values()].includes(null);
  return content.kind === "empty";
}

/** Values for numbers that the order does not have, or no longer. */
export function unknownNumbers({ numbers }: Order, named: readonly string[]): Fault[] {
  const own = new Set(numbers.map(({ phone_number }) => phone_number));
  return named
    .filter((number) => !own.has(number))
    .map((number) => ({
      pointer: `#/field_values/${number.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      code: "unknown_number",
      detail: "The order has no such number.",
    }));
}

/** A document that arrives too old would count as one that grew old afterwards, which nobody refuses. */
function ageFaults(
  { max_age_days }: OrderRequirement,
  content: RequirementContent,
  now: Date,
): Fault[] {
  if (content.kind !== "document") return [];
  const document = { document_date: content.document_date, max_age_days };
  if (!isTooOld(document, now)) return [];
  const code = "document_too_old";
  return [{ pointer: "#/document_date", code, detail: tooOld(document) }];
}

/** The field after a change: pending, without the faults of its previous value. */
export function rewriteField(
  decision: OrderDecision,
  { slug, content }: RequirementChange,
  now: Date,
): OrderDecision {
  const rewritten = changeRequirements(decision, (requirement) =>
    requirement.slug === slug ? withContent(requirement, content) : requirement,
  );
  return add(changeOrder(rewritten, { updated_at: now }), {
    effect: "timeline",
    kind: "requirement",
    data: { slug, rewritten: true },
  });
}

function withContent(requirement: OrderRequirement, content: RequirementContent): OrderRequirement {
  if (content.kind === "values") {
    const values = requirement.values.map((value) => {
      const shown_value = content.shown.get(value.phone_number);
      if (shown_value === undefined) return value;
      return { ...emptyNumberValue(value.phone_number), shown_value };
    });
    return withValues({ ...requirement, changed: true }, values);
  }
  return {
    ...requirement,
    ...facetsOf(content),
    status: "requirement-info-pending",
    exception_reason: null,
    check_code: null,
    check_detail: null,
    changed: true,
  };
}

type Facets = Pick<
  OrderRequirement,
  "has_value" | "shown_value" | "document_id" | "document_date" | "check_state"
>;

function facetsOf(content: Exclude<RequirementContent, { kind: "values" }>): Facets {
  const none = { document_id: null, document_date: null, check_state: "none" } as const;
  switch (content.kind) {
    case "text":
      return { ...none, has_value: true, shown_value: content.shown };
    case "document": {
      const { document_id, document_date, check } = content;
      return {
        has_value: true,
        shown_value: document_id,
        document_id,
        document_date,
        check_state: check,
      };
    }
    case "empty":
      return { ...none, has_value: false, shown_value: null };
  }
}

function askForCheck(decision: OrderDecision, { slug, content }: RequirementChange): OrderDecision {
  if (content.kind !== "document" || content.check !== "checking") return decision;
  const { document_id } = content;
  const { review_attempt: attempt } = decision.order;
  return add(decision, {
    effect: "review_request",
    kind: "check_document",
    attempt,
    slug,
    document_id,
  });
}
