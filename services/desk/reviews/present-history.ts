import type { RecordedVerdict, ReviewCase } from "../../domain/review/rules/review-case.ts";
import type { AccountCase } from "../../domain/review/store/account-cases.ts";
import type { PersonOf } from "../operators/store/persons.ts";

/** An earlier case of the same order. */
export function presentEarlier(one: ReviewCase, personOf: PersonOf): Record<string, unknown> {
  const decisions = one.decisions.map((verdict) => presentVerdict(verdict, personOf));
  return { ...settledOf(one, personOf), changed_slugs: one.changed_slugs, decisions };
}

/** A case of another order of the account, with what was found wrong. */
export function presentAccountCase(one: AccountCase, personOf: PersonOf): Record<string, unknown> {
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
