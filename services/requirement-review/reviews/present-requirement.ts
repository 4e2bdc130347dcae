import { definitionOf } from "../../domain/requirement/rules/catalogue.ts";
import { isTooOld } from "../../domain/requirement/rules/readiness.ts";
import type { OrderRequirement } from "../../domain/requirement/rules/requirement.ts";
import type { CaseFile } from "./present-case.ts";

/** Who looks: viewers see sensitive values masked. */
export interface CaseView {
  readonly now: Date;
  readonly isMasked: boolean;
}

/**
 * A requirement with its value now and at the attempt before. An account number is shown whole to those who decide, to
 * be compared with the invoice; a PIN is on no document, so the desk does not need it.
 */
export function presentField(
  { order, values, previous }: CaseFile,
  requirement: OrderRequirement,
  { now, isMasked }: CaseView,
): Record<string, unknown> {
  const { slug, field_type, mandatory, status, document_id, document_date } = requirement;
  const definition = definitionOf(order, slug);
  const isHidden = definition === null || definition.sensitivity === "hidden";
  const show = (whole: string | null | undefined, masked: string | null): string | null =>
    isMasked || isHidden ? masked : (whole ?? masked);
  const before = previous.find((value) => value.slug === slug);
  return {
    slug,
    name: definition?.name ?? slug,
    field_type,
    mandatory,
    status,
    field_value: show(values.find((value) => value.slug === slug)?.value, requirement.shown_value),
    previous_value: show(before?.value, before?.shown_value ?? null),
    document_id,
    previous_document_id: before?.document_id ?? null,
    document_date,
    checks: checksOf(requirement, now),
    // The desk has no text of documents yet.
    matches: [],
  };
}

/** The requirements whose sensitive values, of now or before, the case shows whole. */
export function unmaskedSlugs({ order, values, previous }: CaseFile): string[] {
  const given = [...values, ...previous].filter(({ value }) => value !== null);
  const slugs = [...new Set(given.map(({ slug }) => slug))];
  return slugs.filter((slug) => definitionOf(order, slug)?.sensitivity === "masked");
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
