import { definitionOf } from "../../domain/requirement/rules/catalogue.ts";
import { isTooOld } from "../../domain/requirement/rules/readiness.ts";
import type { OrderRequirement } from "../../domain/requirement/rules/requirement.ts";
import type { CaseValue } from "../../domain/review/store/case-values.ts";
import type { DocumentCheckAnswer } from "./document-answers.ts";
import { presentDocumentChecks, presentMatches } from "./present-document.ts";
import type { CaseFile } from "./present-case.ts";

/** Who looks: viewers see sensitive values masked. */
export interface CaseView {
  readonly now: Date;
  readonly isMasked: boolean;
  /** Whether documents are scanned for viruses. */
  readonly isScanned: boolean;
}

/**
 * A requirement with its value now and at the attempt before. An account number is shown whole to those who decide, to
 * be compared with the invoice; a PIN is on no document, so the desk does not need it.
 */
export function presentField(
  file: CaseFile,
  requirement: OrderRequirement,
  view: CaseView,
): Record<string, unknown> {
  const { slug, field_type, mandatory, status, document_id, document_date } = requirement;
  const before = file.previous.find((value) => value.slug === slug);
  const document = document_id === null ? null : { slug, document_id };
  return {
    slug,
    name: definitionOf(file.order, slug)?.name ?? slug,
    field_type,
    mandatory,
    status,
    field_value: showNow(file, slug, view),
    previous_value: show(file.order, { value: null, shown_value: null, ...before, slug }, view),
    document_id,
    previous_document_id: before?.document_id ?? null,
    document_date,
    checks: checksOf(file, requirement, view),
    matches:
      document === null
        ? []
        : presentMatches(file.ofDocuments, document, (other) => showNow(file, other, view)),
  };
}

/** A requirement's value as the case shows it now. */
function showNow({ order, values }: CaseFile, slug: string, view: CaseView): string | null {
  const value = values.find((one) => one.slug === slug)?.value ?? null;
  const requirement = order.requirements.find((one) => one.slug === slug);
  return show(order, { slug, value, shown_value: requirement?.shown_value ?? null }, view);
}

function show(
  order: CaseFile["order"],
  { slug, value, shown_value: masked }: Omit<CaseValue, "document_id">,
  { isMasked }: CaseView,
): string | null {
  const definition = definitionOf(order, slug);
  const isHidden = definition === null || definition.sensitivity === "hidden";
  return isMasked || isHidden ? masked : (value ?? masked);
}

/** The requirements whose sensitive values, of now or before, the case shows whole. */
export function unmaskedSlugs({ order, values, previous }: CaseFile): string[] {
  const given = [...values, ...previous].filter(({ value }) => value !== null);
  const slugs = [...new Set(given.map(({ slug }) => slug))];
  return slugs.filter((slug) => definitionOf(order, slug)?.sensitivity === "masked");
}

function checksOf(
  { ofDocuments }: CaseFile,
  requirement: OrderRequirement,
  { now, isScanned }: CaseView,
): DocumentCheckAnswer[] {
  const { slug, document_id, check_state: state, check_code, check_detail } = requirement;
  if (document_id === null) return [];
  return [
    { check: "opens", state, code: check_code, detail: check_detail },
    ...ageCheck(requirement, now),
    ...presentDocumentChecks(ofDocuments, { slug, document_id }, isScanned),
  ];
}

const DAY_MS = 86_400_000;

/** How old the document is now: one that became too old since it arrived is the desk's to judge. */
function ageCheck(requirement: OrderRequirement, now: Date): DocumentCheckAnswer[] {
  const { document_date: date, max_age_days: most } = requirement;
  if (date === null || most === null) return [];
  const days = Math.max(0, Math.floor((now.getTime() - date.getTime()) / DAY_MS));
  const detail = `${days} ${days === 1 ? "day" : "days"} old, of at most ${most}`;
  return isTooOld(requirement, now)
    ? [{ check: "age", state: "failed", code: "document_too_old", detail }]
    : [{ check: "age", state: "passed", code: null, detail }];
}
