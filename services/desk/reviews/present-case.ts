import { presentDocument, type Document } from "../../domain/document/rules/document.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { isUnderReview } from "../../domain/order/rules/status-facts.ts";
import { presentComment, type CommentRow } from "../../domain/order/store/comments.ts";
import type { RequirementValue } from "../../domain/requirement/store/requirement-values.ts";
import {
  liveClaimOf,
  withVerdicts,
  type Handover,
  type RecordedVerdict,
  type ReviewCase,
} from "../../domain/review/rules/review-case.ts";
import type { AccountCase } from "./store/account-cases.ts";
import type { CaseValue } from "../../domain/review/store/case-values.ts";
import type { Note } from "../notes/store/notes.ts";
import type { PersonOf } from "../operators/store/persons.ts";
import type { CaseDocuments } from "./present-document.ts";
import { presentField, type CaseView } from "./present-requirement.ts";

/** Everything that an operator needs in order to decide. */
export interface CaseFile {
  readonly order: Order;
  readonly one: ReviewCase;
  readonly values: readonly RequirementValue[];
  /** What stood in the requirements at the attempt before. */
  readonly previous: readonly CaseValue[];
  /** All documents ever given to the order, the oldest first. */
  readonly documents: readonly Document[];
  /** What was read and found in the documents of this case. */
  readonly ofDocuments: CaseDocuments;
  readonly comments: readonly CommentRow[];
  readonly notes: readonly Note[];
  readonly earlier: readonly ReviewCase[];
  /** Closed cases of other orders of the account. */
  readonly ofAccount: readonly AccountCase[];
  readonly personOf: PersonOf;
}

/** The case as the desk sees it (docs/contract/desk-api.md, GET /reviews/{order_id}). */
export function presentCase(file: CaseFile, view: CaseView): Record<string, unknown> {
  const { order, one, personOf } = file;
  // A cancellation withdraws the case at once, but its message takes a moment.
  const isWithdrawn = one.state === "open" && !isUnderReview(order, one.attempt);
  const claimedBy = isWithdrawn ? null : liveClaimOf(one, view.now);
  const isClaimed = claimedBy !== null;
  return {
    order_id: one.order_id,
    attempt: one.attempt,
    state: isWithdrawn ? "withdrawn" : one.state,
    outcome: one.outcome,
    claimed_by: isClaimed ? personOf(claimedBy) : null,
    claimed_until: isClaimed ? one.claimed_until : null,
    handover: isClaimed ? presentHandover(one.handover, personOf) : null,
    submitted_at: one.submitted_at,
    due_at: one.due_at,
    changed_slugs: one.changed_slugs,
    order: presentFacts(file),
    requirements: withVerdicts(order, one).requirements.map((requirement) =>
      presentField(file, requirement, view),
    ),
    documents: file.documents.map(presentDocument),
    comments: file.comments.map(presentComment),
    notes: file.notes,
    history: file.earlier.map((earlier) => presentEarlier(earlier, personOf)),
    account_history: file.ofAccount.map((other) => presentAccountCase(other, personOf)),
  };
}

function presentFacts({ order, one }: CaseFile): Record<string, unknown> {
  const { country_code, number_type, losing_carrier, customer_reference, foc_requested } = order;
  return {
    account: { id: order.account_id, name: one.account_name },
    ...{ country_code, number_type, losing_carrier },
    phone_numbers: order.numbers.map((number) => number.phone_number),
    ...{ customer_reference, foc_requested },
  };
}

function presentHandover(handover: Handover | null, personOf: PersonOf) {
  if (handover === null) return null;
  const { from, by, reason, at } = handover;
  return { from: from === null ? null : personOf(from), by: personOf(by), reason, at };
}

/** An earlier case of the same order. */
function presentEarlier(one: ReviewCase, personOf: PersonOf): Record<string, unknown> {
  const decisions = one.decisions.map((verdict) => presentVerdict(verdict, personOf));
  return { ...settledOf(one, personOf), changed_slugs: one.changed_slugs, decisions };
}

/** A case of another order of the account, with what was found wrong. */
function presentAccountCase(one: AccountCase, personOf: PersonOf): Record<string, unknown> {
  const rejected = one.decisions
    .filter(({ decision }) => decision === "reject")
    .map(({ slug, code, reason }) => ({ slug, code, reason }));
  return { order_id: one.order_id, ...settledOf(one, personOf), rejected };
}

function settledOf(one: AccountCase, personOf: PersonOf) {
  const { attempt, state, outcome, submitted_at, decided_at, decided_by } = one;
  const by = decided_by === null ? null : personOf(decided_by);
  return { attempt, state, outcome, submitted_at, decided_at, decided_by: by };
}

function presentVerdict(verdict: RecordedVerdict, personOf: PersonOf): Record<string, unknown> {
  const { slug, decision, code, reason, operator_id, at } = verdict;
  return { slug, decision, code, reason, operator: personOf(operator_id), at };
}
