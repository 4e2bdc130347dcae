import type { Fault } from "../../../platform/errors.ts";
import type { Order } from "../../order/rules/order.ts";
import { numbersWithout } from "./number-values.ts";
import type { OrderRequirement } from "./requirement.ts";

export interface Blocker {
  /** Of the requirement, or `foc_requested`. */
  readonly slug: string;
  readonly code:
    | "missing"
    | "exception"
    | "checking"
    | "check_failed"
    | "document_too_old"
    | "foc_not_possible";
  readonly detail: string;
}

export interface Readiness {
  readonly ready: boolean;
  readonly blocking: readonly Blocker[];
}

const DAY_MS = 86_400_000;

type DatedDocument = Pick<OrderRequirement, "document_date" | "max_age_days">;

/** Whether a document is older than its requirement allows. */
export function isTooOld(
  { document_date: date, max_age_days: days }: DatedDocument,
  now: Date,
): boolean {
  return date !== null && days !== null && now.getTime() - date.getTime() > days * DAY_MS;
}

/** Says how old the document may be, and the date that it has. */
export function tooOld({ max_age_days: days, document_date: date }: DatedDocument): string {
  const dated = date === null ? "" : `; this one is dated ${date.toISOString().slice(0, 10)}`;
  return `The document may be at most ${days ?? 0} days old${dated}.`;
}

function blockerOf(requirement: OrderRequirement): Blocker | null {
  const { slug, mandatory, has_value: hasValue } = requirement;
  const block = (code: Blocker["code"], detail: string): Blocker => ({ slug, code, detail });
  if (requirement.status === "requirement-info-exception") {
    return block(
      "exception",
      requirement.exception_reason ?? "The value was rejected and must be changed.",
    );
  }
  if (!hasValue) return mandatory ? block("missing", missingDetail(requirement)) : null;
  switch (requirement.check_state) {
    case "checking":
      return block("checking", "The document is being checked.");
    case "failed":
      return block("check_failed", requirement.check_detail ?? "The document cannot be used.");
    case "none":
    case "passed":
      return null;
  }
}

function blockerByAge(requirement: OrderRequirement, now: Date): Blocker | null {
  const { slug } = requirement;
  if (!isTooOld(requirement, now)) return null;
  const detail = `${tooOld(requirement)} Upload a newer one.`;
  return { slug, code: "document_too_old", detail };
}

const MOST_NAMED = 3;

function missingDetail(requirement: OrderRequirement): string {
  const { slug, field_type: type, scope, values } = requirement;
  if (scope === "number" && values.length > 1) {
    const without = numbersWithout(requirement);
    const named = without.slice(0, MOST_NAMED).join(", ");
    const more = without.length > MOST_NAMED ? ` and ${without.length - MOST_NAMED} more` : "";
    return `These numbers have no value yet: ${named}${more}; PATCH it with field_values.`;
  }
  if (slug === "loa")
    return "It is not signed yet; sign it by POST …/loa/sign, or upload your own.";
  return type === "document"
    ? "It has no document yet; PATCH it as multipart/form-data with file and document_date."
    : "It has no value yet; PATCH it.";
}

/**
 * Whether an order can be submitted, and what blocks it. A document's age counts when it arrives and at the first
 * submission: correcting another field later never forces a new signature.
 */
export function readinessOf(
  { requirements, review_attempt }: Pick<Order, "requirements" | "review_attempt">,
  now: Date,
  dateFault: Pick<Fault, "detail"> | null = null,
): Readiness {
  const isFirst = review_attempt === 0;
  const blocking = requirements.flatMap(
    (requirement) =>
      blockerOf(requirement) ?? (isFirst ? blockerByAge(requirement, now) : null) ?? [],
  );
  if (dateFault !== null) {
    const { detail } = dateFault;
    blocking.push({ slug: "foc_requested", code: "foc_not_possible", detail });
  }
  return { ready: blocking.length === 0, blocking };
}

/** Whether every mandatory requirement has a value that passed its checks and no requirement is in exception. */
export function areMet(requirements: readonly OrderRequirement[]): boolean {
  return requirements.every((requirement) => {
    if (requirement.status === "requirement-info-exception") return false;
    if (!requirement.mandatory) return true;
    const checked = requirement.check_state === "none" || requirement.check_state === "passed";
    return requirement.has_value && checked;
  });
}
