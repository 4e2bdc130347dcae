import { SLUG_OF } from "../../domain/document/rules/check-result.ts";
import { presentDocument, type Document } from "../../domain/document/rules/document.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { isUnderReview } from "../../domain/order/rules/status-facts.ts";
import {
  listComments,
  presentComment,
  waitingSince,
  type CommentRow,
} from "../../domain/order/store/comments.ts";
import { definitionOf } from "../../domain/requirement/rules/catalogue.ts";
import { isTooOld } from "../../domain/requirement/rules/readiness.ts";
import type { NumberValue, OrderRequirement } from "../../domain/requirement/rules/requirement.ts";
import {
  readRequirementValues,
  type RequirementValue,
} from "../../domain/requirement/store/requirement-values.ts";
import {
  liveClaimOf,
  withVerdicts,
  type Handover,
  type RecordedVerdict,
  type ReviewCase,
} from "../../domain/review/rules/review-case.ts";
import { readPreviousValues, type CaseValue } from "../../domain/review/store/case-values.ts";
import { findLatestCase, listEarlierCases, type CaseKey } from "../../domain/review/store/cases.ts";
import { idRange } from "../../platform/db/id-range.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { listNotes, type Note } from "../notes/store.ts";
import { findPersons, type PersonOf } from "../operators/store.ts";
import { listDuplicates, type Duplicate } from "../orders/store/duplicates.ts";
import { findAnyOrder } from "../orders/store/find-orders.ts";
import type { DocumentCheckAnswer, MatchAnswer } from "./answers.ts";
import { listCaseDocuments, type StoredReading, type StoredScan } from "./store.ts";
import { listAccountCases, type AccountCase } from "./store/account-cases.ts";

/** Everything that an operator needs in order to decide. */
interface CaseFile {
  readonly order: Order;
  readonly one: ReviewCase;
  readonly values: readonly RequirementValue[];
  /** What stood in the requirements at the attempt before. */
  readonly previous: readonly CaseValue[];
  /** All documents ever given to the order, the oldest first. */
  readonly documents: readonly Document[];
  /** What was read and found in the documents of this case. */
  readonly ofDocuments: CaseDocuments;
  /** Live orders of other accounts with its numbers. */
  readonly duplicates: readonly Duplicate[];
  /** Since when its customer waits for an answer. */
  readonly unansweredAt: Date | null;
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
    duplicates: file.duplicates,
    unanswered_comment_at: file.unansweredAt,
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
  const { from, by, reason, at, seen_at = at } = handover;
  return { from: from === null ? null : personOf(from), by: personOf(by), reason, at, seen_at };
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
  const { slug, phone_number = null, decision, code, reason, operator_id, at } = verdict;
  return { slug, phone_number, decision, code, reason, operator: personOf(operator_id), at };
}

/** Who looks: viewers see sensitive values masked. */
interface CaseView {
  readonly now: Date;
  readonly isMasked: boolean;
  /** Whether documents are scanned for viruses. */
  readonly isScanned: boolean;
}

/**
 * A requirement with its value now and at the attempt before. An account number is shown whole to those who decide, to
 * be compared with the invoice; a PIN is on no document, so the desk does not need it.
 */
function presentField(
  file: CaseFile,
  requirement: OrderRequirement,
  view: CaseView,
): Record<string, unknown> {
  const { slug, field_type, mandatory, status, document_id, document_date } = requirement;
  // What a requirement shows as its own is the value of the only number.
  const [only = null, second = null] = requirement.values;
  const ofNumber = second === null ? (only?.phone_number ?? null) : null;
  const before = file.previous.find(
    (value) => value.slug === slug && value.phone_number === ofNumber,
  );
  const document = document_id === null ? null : { slug, document_id };
  return {
    slug,
    name: definitionOf(file.order, slug)?.name ?? slug,
    field_type,
    mandatory,
    scope: requirement.scope,
    status,
    field_value: showNow(file, slug, view),
    previous_value: show(file.order, { ...NOTHING, ...before, slug }, view),
    values: requirement.values.map((value) => presentValue(file, requirement, { value, view })),
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

const NOTHING = { value: null, shown_value: null };

/** A requirement's value as the case shows it now. */
function showNow({ order, values }: CaseFile, slug: string, view: CaseView): string | null {
  const requirement = order.requirements.find((one) => one.slug === slug);
  const isSeveral = (requirement?.values.length ?? 0) > 1;
  const value = isSeveral ? null : (values.find((one) => one.slug === slug)?.value ?? null);
  return show(order, { slug, value, shown_value: requirement?.shown_value ?? null }, view);
}

/** One number's value, now and at the attempt before. */
function presentValue(
  { order, values, previous }: CaseFile,
  { slug }: OrderRequirement,
  { value, view }: { readonly value: NumberValue; readonly view: CaseView },
) {
  const { phone_number, status, exception_reason, shown_value } = value;
  const isSame = (one: RequirementValue | CaseValue): boolean =>
    one.slug === slug && one.phone_number === phone_number;
  const now = values.find(isSame)?.value ?? null;
  return {
    phone_number,
    status,
    exception_reason,
    field_value: show(order, { slug, value: now, shown_value }, view),
    previous_value: show(order, { ...NOTHING, ...previous.find(isSame), slug }, view),
  };
}

function show(
  order: CaseFile["order"],
  { slug, value, shown_value: masked }: Omit<CaseValue, "document_id" | "phone_number">,
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

/** What is known about the documents of a case, beside what the order says of them. */
interface CaseDocuments {
  readonly readings: readonly StoredReading[];
  readonly scans: readonly StoredScan[];
}

interface CaseDocument {
  readonly slug: string;
  readonly document_id: string;
}

/** The values that were looked for in a document, each as the case shows it to this operator. */
function presentMatches(
  { readings }: CaseDocuments,
  { slug, document_id }: CaseDocument,
  shownValue: (slug: string) => string | null,
): MatchAnswer[] {
  const reading = readings.find((one) => one.slug === slug && one.document_id === document_id);
  return (reading?.found ?? []).flatMap(({ what, number, found, page }) => {
    const value = what === "phone_number" ? number : shownValue(SLUG_OF[what]);
    return value === null ? [] : [{ what, value, found, page }];
  });
}

/** What is checked about a document beside whether it opens, and its age. `isScanned`: for viruses. */
function presentDocumentChecks(
  { readings, scans }: CaseDocuments,
  { slug, document_id }: CaseDocument,
  isScanned: boolean,
): DocumentCheckAnswer[] {
  const pages = readings.find((one) => one.slug === slug && one.document_id === document_id)?.pages;
  const counted = { check: "pages", state: "passed", code: null } as const;
  const scan = scans.find((one) => one.document_id === document_id);
  return [
    ...(isScanned || scan !== undefined ? [scanCheck(scan)] : []),
    ...(pages == null ? [] : [{ ...counted, detail: pages === 1 ? "1 page" : `${pages} pages` }]),
  ];
}

function scanCheck(scan: StoredScan | undefined): DocumentCheckAnswer {
  switch (scan?.state) {
    case "clean":
      return { check: "scan", state: "passed", code: null, detail: null };
    case "infected": {
      const detail = `The virus scanner found ${scan.signature ?? "something"}. Reject the field.`;
      return { check: "scan", state: "failed", code: "document_infected", detail };
    }
    case "waiting":
    case undefined: {
      const detail = "The virus scanner has not answered yet: the field cannot be approved.";
      return { check: "scan", state: "checking", code: "document_not_scanned", detail };
    }
  }
}

const MOST_SHOWN = 250;
const LATEST = { direction: "desc", cursorId: null, fetch: MOST_SHOWN + 1 } as const;

/** The latest case of an order with all its data. @throws `not_found` before the first submission */
export async function readCase(db: Queryable, box: SecretBox, orderId: string): Promise<CaseFile> {
  const one = await findLatestCase(db, orderId, "read");
  const order = await findAnyOrder(db, orderId);
  const range = idRange(LATEST, {});
  const key = { orderId, attempt: one.attempt };
  const [values, previous, comments, notes, ofOrder, earlier, ofAccount, ...alerts] =
    await Promise.all([
      readRequirementValues(db, box, orderId),
      readPreviousValues(db, box, key),
      listComments(db, { subject: "order", id: orderId, audience: "desk", range }),
      listNotes(db, orderId),
      readCaseDocuments(db, key),
      listEarlierCases(db, orderId, one.attempt),
      listAccountCases(db, one),
      listDuplicates(db, order),
      waitingSince(db, orderId),
    ]);
  const [duplicates, unansweredAt] = alerts;
  const personOf = await findPersons(db, operatorsOf([one, ...earlier], ofAccount));
  return {
    ...{ order, one, values, previous, notes, earlier, ofAccount, personOf },
    ...ofOrder,
    ...{ duplicates, unansweredAt },
    comments: comments.rows.toReversed(),
  };
}

/** Every operator whom the case names. */
function operatorsOf(cases: readonly ReviewCase[], others: readonly AccountCase[]): string[] {
  const named = cases.flatMap(({ claimed_by, handover, decided_by, decisions }) => [
    claimed_by,
    handover?.from ?? null,
    handover?.by ?? null,
    decided_by,
    ...decisions.map((verdict) => verdict.operator_id),
  ]);
  return [...named, ...others.map((one) => one.decided_by)].filter((id) => id !== null);
}

interface DocumentsOfCase {
  /** All documents ever given to the order, the oldest first. */
  readonly documents: readonly Document[];
  readonly ofDocuments: CaseDocuments;
}

/** The documents of an order, and what was read and found in those of a case. */
async function readCaseDocuments(db: Queryable, key: CaseKey): Promise<DocumentsOfCase> {
  const rows = await listCaseDocuments(db, key);
  const readings = rows.flatMap(({ id, read_as: slug, pages, found }) =>
    slug === null ? [] : [{ slug, document_id: id, pages, found }],
  );
  const scans = rows.flatMap(({ id, scan_state: state, signature }) =>
    state === null ? [] : [{ document_id: id, state, signature }],
  );
  return { documents: rows, ofDocuments: { readings, scans } };
}
