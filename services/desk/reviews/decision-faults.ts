import type { Fault } from "../../platform/errors.ts";
import type { OrderRequirement } from "../../domain/requirement/rules/requirement.ts";
import type { RequirementVerdict, ReviewDecision } from "../../domain/order/rules/decide-review.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { codesFor, concerns, isRejectionCode } from "./rejection-reasons.ts";

type Decided = Omit<ReviewDecision, "attempt">;

const DETAILS = {
  repeated: "The requirement is named more than once.",
  unknown_slug: "The order has no such requirement.",
  not_under_review:
    "The requirement is not under review; only an approved one can be rejected all the same.",
  unknown_code: "The code is not one of GET /desk/v1/rejection_reasons.",
  reason_required: "A rejection needs a reason.",
  nothing_decided: "The request has neither decisions nor confirm.",
  confirm_with_rejection: "An order with a rejected field cannot be confirmed.",
} as const;

function fault(pointer: string, code: keyof typeof DETAILS): Fault {
  return { pointer, code, detail: DETAILS[code] };
}

function rejects(verdict: RequirementVerdict): boolean {
  return verdict.decision === "reject";
}

/** The faults of a decision that do not depend on the order (docs/contract/desk-api.md, A decision). */
export function findRequestFaults({ decisions, confirm }: Decided): Fault[] {
  const slugs = decisions.map((verdict) => verdict.slug);
  const faults = decisions.flatMap((verdict, n): Fault[] => {
    const at = `#/decisions/${n}`;
    const isRepeated = slugs.indexOf(verdict.slug) < n;
    const isBare = rejects(verdict) && (verdict.reason ?? "").trim() === "";
    return [
      ...(isRepeated ? [fault(`${at}/slug`, "repeated")] : []),
      ...findCodeFaults(verdict, `${at}/code`),
      ...(isBare ? [fault(`${at}/reason`, "reason_required")] : []),
    ];
  });
  if (decisions.length === 0 && !confirm) faults.push(fault("#/confirm", "nothing_decided"));
  if (confirm && decisions.some(rejects)) {
    faults.push(fault("#/confirm", "confirm_with_rejection"));
  }
  return faults;
}

/** A code says what is wrong with a requirement, so that one which concerns others misleads the customer. */
function findCodeFaults({ slug, code, decision }: RequirementVerdict, pointer: string): Fault[] {
  if (code === null) return [];
  if (!isRejectionCode(code)) return [fault(pointer, "unknown_code")];
  if (decision === "approve" || concerns(code, slug)) return [];
  const detail = `${code} does not concern ${slug}; these do: ${codesFor(slug).join(", ")}.`;
  return [{ pointer, code: "code_of_other_requirement", detail }];
}

/** All faults of a decision on this order. */
export function findDecisionFaults(order: Order, decided: Decided): Fault[] {
  const named = decided.decisions.flatMap((verdict, n): Fault[] => {
    const requirement = order.requirements.find((one) => one.slug === verdict.slug);
    if (requirement === undefined) return [fault(`#/decisions/${n}/slug`, "unknown_slug")];
    const { status } = requirement;
    if (status === "requirement-info-under-review") return [];
    // The desk may find later that a letter has to be signed again.
    if (status === "approved" && rejects(verdict)) return [];
    return [fault(`#/decisions/${n}/slug`, "not_under_review")];
  });
  const isConfirmed = decided.confirm && !decided.decisions.some(rejects);
  const left = isConfirmed ? findConfirmFaults(order, decided.decisions) : [];
  return [...findRequestFaults(decided), ...named, ...left];
}

function findConfirmFaults(order: Order, decisions: readonly RequirementVerdict[]): Fault[] {
  const decided = new Set(decisions.map(({ slug }) => slug));
  return order.requirements
    .filter((requirement) => isUndecided(requirement) && !decided.has(requirement.slug))
    .map(({ slug }) => {
      return { pointer: "#/confirm", code: "undecided", detail: `${slug} is not decided yet.` };
    });
}

function isUndecided({ status, mandatory, has_value: hasValue }: OrderRequirement): boolean {
  return status !== "approved" && (mandatory || hasValue);
}
