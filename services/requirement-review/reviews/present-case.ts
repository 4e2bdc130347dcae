import { isUnderReview } from "../../domain/order/rules/status-facts.ts";
import { presentDocument, type Document } from "../../domain/document/rules/document.ts";
import { presentComment, type CommentRow } from "../../domain/order/store/comments.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { definitionOf } from "../../domain/requirement/rules/catalogue.ts";
import { isTooOld } from "../../domain/requirement/rules/readiness.ts";
import type { OrderRequirement } from "../../domain/requirement/rules/requirement.ts";
import type { RequirementValue } from "../../domain/requirement/store/requirement-values.ts";
import {
  liveClaimOf,
  withVerdicts,
  type ReviewCase,
} from "../../domain/review/rules/review-case.ts";

/** Everything that an operator needs in order to decide. */
export interface CaseFile {
  readonly order: Order;
  readonly one: ReviewCase;
  readonly values: readonly RequirementValue[];
  /** All documents ever given to the order, the oldest first. */
  readonly documents: readonly Document[];
  readonly comments: readonly CommentRow[];
  readonly earlier: readonly ReviewCase[];
}

/** The case as the desk sees it (docs/contract/desk-api.md, GET /reviews/{order_id}). */
export function presentCase(file: CaseFile, now: Date): Record<string, unknown> {
  const { order, one } = file;
  // A cancellation withdraws the case at once, but its message takes a moment.
  const isWithdrawn = one.state === "open" && !isUnderReview(order, one.attempt);
  const claimedBy = isWithdrawn ? null : liveClaimOf(one, now);
  return {
    order_id: one.order_id,
    attempt: one.attempt,
    state: isWithdrawn ? "withdrawn" : one.state,
    outcome: one.outcome,
    claimed_by: claimedBy,
    claimed_until: claimedBy === null ? null : one.claimed_until,
    submitted_at: one.submitted_at,
    due_at: one.due_at,
    changed_slugs: one.changed_slugs,
    requirements: withVerdicts(order, one).requirements.map((requirement) =>
      presentField(file, requirement, now),
    ),
    documents: file.documents.map(presentDocument),
    comments: file.comments.map(presentComment),
    history: file.earlier.map(presentEarlier),
  };
}

/** The requirements whose sensitive values the case shows whole. */
export function unmaskedSlugs({ order, values }: CaseFile): string[] {
  const given = values.filter(({ value }) => value !== null);
  return given
    .map(({ slug }) => slug)
    .filter((slug) => definitionOf(order, slug)?.sensitivity === "masked");
}

/**
 * An account number is shown whole, to be compared with the invoice; a PIN is on no document, so the desk does not need
 * it.
 */
function presentField(
  { order, values }: CaseFile,
  requirement: OrderRequirement,
  now: Date,
): Record<string, unknown> {
  const { slug, field_type, mandatory, status, document_id, document_date } = requirement;
  const definition = definitionOf(order, slug);
  const isShown = definition !== null && definition.sensitivity !== "hidden";
  const whole = values.find((value) => value.slug === slug)?.value ?? null;
  return {
    slug,
    name: definition?.name ?? slug,
    field_type,
    mandatory,
    status,
    field_value: (isShown ? whole : null) ?? requirement.shown_value,
    document_id,
    document_date,
    checks: checksOf(requirement, now),
  };
}

function checksOf(requirement: OrderRequirement, now: Date): Record<string, unknown>[] {
  const { check_state, check_code, check_detail, document_id, max_age_days } = requirement;
  if (document_id === null) return [];
  const opens = { check: "opens", state: check_state, code: check_code, detail: check_detail };
  if (max_age_days === null) return [opens];
  const age = isTooOld(requirement, now)
    ? { state: "failed", code: "document_too_old", detail: `Older than ${max_age_days} days.` }
    : { state: "passed", code: null, detail: null };
  return [opens, { check: "age", ...age }];
}

function presentEarlier(one: ReviewCase): Record<string, unknown> {
  const { attempt, state, outcome, submitted_at, decided_at, decided_by } = one;
  const { changed_slugs, decisions } = one;
  return {
    attempt,
    state,
    outcome,
    submitted_at,
    decided_at,
    decided_by,
    changed_slugs,
    decisions,
  };
}
