import {
  deskExceptions,
  requirementUpdate,
} from "../../../../services/domain/order/rules/desk-exceptions.ts";
import type { OrderException, OrderStatus } from "../../../../services/domain/order/rules/order.ts";
import {
  fieldWords,
  type CaseRequirement,
  type EarlierCase,
  type Match,
  type RejectionReason,
  type ReviewCase,
} from "../reviews.ts";
import { readKey } from "../../../../services/domain/requirement/rules/number-values.ts";
import { isWholeShown, verdictOn, type Draft, type DraftVerdict } from "./draft.ts";
import { namedVerdict, namedVerdicts, type SentVerdict } from "./number-fields.ts";

/** Whether the desk has to decide it. */
export function isUnderReview({ status }: Pick<CaseRequirement, "status">): boolean {
  return status === "requirement-info-under-review";
}

/** What is approved can still be rejected in an open case, such as a letter that has to be signed again. */
export function mayBeRejected({ status }: Pick<CaseRequirement, "status">): boolean {
  return status === "requirement-info-under-review" || status === "approved";
}

/** The draft's verdict, unless the service would refuse it: what was sent from another window may still be there. */
export function liveVerdictOn(
  draft: Pick<Draft, "verdicts">,
  field: Pick<CaseRequirement, "slug" | "status">,
): DraftVerdict | null {
  const verdict = verdictOn(draft, field.slug);
  if (verdict === null) return null;
  const isTaken = verdict.decision === "reject" ? mayBeRejected(field) : isUnderReview(field);
  return isTaken ? verdict : null;
}

function hasFailedCheck({ checks }: Pick<CaseRequirement, "checks">): boolean {
  return checks.some(({ state }) => state === "failed");
}

/** What is to be decided first, changed fields before others; then what was decided before; then what is empty. */
export function inReadingOrder({
  requirements,
  changed_slugs: changed,
}: Pick<ReviewCase, "requirements" | "changed_slugs">): readonly CaseRequirement[] {
  const rank = (one: CaseRequirement): number => {
    if (isUnderReview(one)) return changed.includes(one.slug) ? 0 : 1;
    return one.field_value === null && one.document_id === null ? 3 : 2;
  };
  return requirements.toSorted((one, other) => rank(one) - rank(other));
}

/** The field after `slug` that is still open, from the top again at the end; `slug` itself where none is. */
export function nextOpenField(
  slugs: readonly string[],
  slug: string,
  isOpen: (slug: string) => boolean,
): string {
  const at = slugs.indexOf(slug);
  const after = [...slugs.slice(at + 1), ...slugs.slice(0, Math.max(at, 0))];
  return after.find(isOpen) ?? slug;
}

/** The item `by` places on, without going past the ends. */
export function stepFrom<T>(items: readonly T[], item: T | null, by: number): T | null {
  const at = item === null ? -1 : items.indexOf(item);
  return items[Math.min(Math.max(at + by, 0), items.length - 1)] ?? null;
}

const CHECK_NAMES: Readonly<Record<string, string>> = {
  opens: "Opens",
  age: "Age",
  scan: "Virus scan",
  pages: "Pages",
};

export function checkText({ check, state, detail }: CaseRequirement["checks"][number]): string {
  const name = CHECK_NAMES[check] ?? check;
  if (state === "passed") return detail ?? name;
  return detail === null ? `${name}: ${state}` : `${name}: ${detail}`;
}

/** Whether a document's text was looked for the order's values, and there is none: a scan, an image. */
export function isWithoutText({ matches }: Pick<CaseRequirement, "matches">): boolean {
  return matches.length > 0 && matches.every(({ found }) => found === null);
}

export const WITHOUT_TEXT = "A scan: no text to compare";

/** What a document says of the order, in one line. */
export interface Evidence {
  readonly field: CaseRequirement;
  readonly tone: "bad" | "warning" | "neutral" | "good";
  readonly text: string;
}

const TONES = ["bad", "warning", "neutral", "good"] as const satisfies readonly Evidence["tone"][];

/** A line for each document that was looked at: what speaks against the order first. */
export function evidenceIn(fields: readonly CaseRequirement[]): readonly Evidence[] {
  return fields
    .flatMap((field) => evidenceOf(field) ?? [])
    .toSorted((one, other) => TONES.indexOf(one.tone) - TONES.indexOf(other.tone));
}

function evidenceOf(field: CaseRequirement): Evidence | null {
  const { checks, matches } = field;
  const failed = checks.filter(({ state }) => state === "failed").map(checkText);
  const against = evidenceAgainst(matches);
  if (failed.length > 0) return { field, tone: "bad", text: [...failed, ...against].join("; ") };
  if (against.length > 0) return { field, tone: "warning", text: against.join(", ") };
  if (isWithoutText(field)) return { field, tone: "neutral", text: WITHOUT_TEXT };
  const others = matches.filter((match) => !isNumber(match) && match.found === true);
  const count = matches.filter(isNumber).length;
  const numbers = count > 1 ? [numbersFound(matches).text] : ["number found"].slice(1 - count);
  const found = [...numbers, ...others.map(({ what }) => `${fieldWords(what)} found`)];
  return found.length === 0 ? null : { field, tone: "good", text: found.join(", ") };
}

/** Why the field was rejected when it was last decided; null where it was not. */
export function lastRejection(
  history: readonly EarlierCase[],
  slug: string,
): { readonly attempt: number; readonly reason: string } | null {
  const field = readKey(slug);
  for (const { attempt, decisions } of history) {
    const last = decisions.findLast(
      (one) =>
        one.slug === field.slug && (one.phone_number ?? field.phone_number) === field.phone_number,
    );
    if (last === undefined) continue;
    return last.decision === "reject" ? { attempt, reason: last.reason ?? "" } : null;
  }
  return null;
}

interface ApproveAll {
  readonly verdicts: readonly DraftVerdict[];
  /** What is approved only once somebody has said so, knowing what speaks against it. */
  readonly doubtful: readonly Doubt[];
  /** What was left undecided, and why. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

export interface Doubt {
  readonly slug: string;
  readonly name: string;
  readonly against: readonly string[];
}

/** Approves what has no verdict yet, no failed check, no document that was not shown, and nothing that speaks against it. */
export function approveAll(
  { requirements, duplicates }: Pick<ReviewCase, "requirements" | "duplicates">,
  draft: Draft,
): ApproveAll {
  const open = requirements.filter(
    (one) => isUnderReview(one) && verdictOn(draft, one.slug) === null,
  );
  const left = open.flatMap((one) => {
    const why = whyNot(one, draft);
    return why === null ? [] : [{ slug: one.slug, name: one.name, why }];
  });
  const kept = new Set(left.map(({ slug }) => slug));
  const approvable = open.filter(({ slug }) => !kept.has(slug));
  // Against the whole order, so that one of its fields stands for it, a document if there is one.
  const bearer = approvable.find((one) => one.document_id !== null) ?? approvable[0];
  const doubtful = approvable
    .map((one) => {
      const against = one === bearer ? duplicates.map(duplicateText) : [];
      return {
        slug: one.slug,
        name: one.name,
        against: [...evidenceAgainst(one.matches), ...against],
      };
    })
    .filter(({ against }) => against.length > 0);
  const doubted = new Set(doubtful.map(({ slug }) => slug));
  return {
    verdicts: approvable.filter(({ slug }) => !doubted.has(slug)).map(({ slug }) => approval(slug)),
    doubtful,
    left: left.map(({ name, why }) => ({ name, why })),
  };
}

function whyNot(one: CaseRequirement, draft: Draft): string | null {
  if (hasFailedCheck(one)) return "a check failed";
  if (one.document_id === null || isWholeShown(draft, one.document_id)) return null;
  const shown = draft.shown[one.document_id];
  if (shown === undefined) return "its document was not shown";
  const { length: count } = shown.pages;
  return `only ${count} of its ${shown.of} pages ${count === 1 ? "was" : "were"} shown`;
}

export function approval(slug: string): DraftVerdict {
  return { slug, decision: "approve", code: null, reason: null };
}

/** How many of an order's numbers a document's text holds. */
interface NumbersFound {
  readonly text: string;
  readonly missing: readonly Match[];
  readonly isReadable: boolean;
}

export function isNumber({ what }: Match): boolean {
  return what === "phone_number";
}

export function numbersFound(matches: readonly Match[]): NumbersFound {
  const numbers = matches.filter(isNumber);
  const count = (state: boolean | null): number =>
    numbers.filter(({ found }) => found === state).length;
  const unread = count(null);
  const isReadable = unread < numbers.length;
  const rest = unread > 0 ? `, ${unread} not readable` : "";
  return {
    text: isReadable
      ? `${count(true)} of ${numbers.length} numbers found${rest}`
      : `${numbers.length} numbers: not readable`,
    missing: numbers.filter(({ found }) => found === false),
    isReadable,
  };
}

/** A value that a document's text does not hold. */
export function missingText({ what, value }: Match): string {
  const name = what === "phone_number" ? value : fieldWords(what);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} not found`;
}

/** `+12125550123 and 4 more are in a live order of Beta Ltd`. */
export function duplicateText(one: ReviewCase["duplicates"][number]): string {
  const { phone_number: number, count, account } = one;
  const numbers = count > 1 ? `${number} and ${count - 1} more are` : `${number} is`;
  return `${numbers} in a live order of ${account.name}`;
}

/** What of a document's text speaks against the order; nothing where it could not be read. */
export function evidenceAgainst(matches: readonly Match[]): readonly string[] {
  const missing = matches.filter(({ found }) => found === false);
  const others = missing.filter((match) => !isNumber(match)).map(missingText);
  const numbers = matches.filter(isNumber);
  const { text, missing: absent } = numbersFound(matches);
  if (absent.length === 0) return others;
  return [numbers.length === 1 ? absent.map(missingText).join() : text, ...others];
}

/** The body of `POST /reviews/{order_id}/decision`. */
interface DecisionBody {
  readonly attempt: number;
  readonly decisions: readonly SentVerdict[];
  readonly confirm: boolean;
}

export type Sendable =
  | { readonly kind: "reject" | "confirm"; readonly body: DecisionBody }
  | { readonly kind: "incomplete"; readonly undecided: readonly string[] };

/** One decision of the whole draft: it returns the order to the customer, or sends it to the carrier. */
export function sendableOf(
  { attempt, requirements }: Pick<ReviewCase, "attempt" | "requirements">,
  draft: Pick<Draft, "verdicts">,
): Sendable {
  const live = new Set(requirements.map((field) => liveVerdictOn(draft, field)));
  const given = draft.verdicts.filter((verdict) => live.has(verdict));
  const decisions = namedVerdicts(given, requirements.filter(isUnderReview));
  if (decisions.some(({ decision }) => decision === "reject")) {
    return { kind: "reject", body: { attempt, decisions, confirm: false } };
  }
  const decided = new Set(given.map(({ slug }) => slug));
  const undecided = requirements.filter((one) => isUnderReview(one) && !decided.has(one.slug));
  if (undecided.length > 0) {
    return { kind: "incomplete", undecided: undecided.map(({ name }) => name) };
  }
  return { kind: "confirm", body: { attempt, decisions, confirm: true } };
}

/** What the customer receives and reads once the verdicts are sent, by the rules that the service follows. */
export interface Preview {
  /** In the order in which they are sent. */
  readonly events: readonly { readonly type: string; readonly payload: unknown }[];
  readonly exceptions: readonly OrderException[];
  /** The order's next status. */
  readonly status: OrderStatus;
}

export function previewOf(
  orderId: string,
  drafted: readonly DraftVerdict[],
  raisedAt: string,
): Preview {
  const verdicts = drafted.map(namedVerdict);
  const exceptions = deskExceptions(verdicts, raisedAt);
  const status: OrderStatus = exceptions.length > 0 ? "rejection" : "submitted";
  const updates = verdicts.map(({ slug, decision, reason }) => ({
    type: "porting_order.requirement_updated",
    payload: withoutNull(
      requirementUpdate(orderId, {
        slug,
        status: decision === "reject" ? "requirement-info-exception" : "approved",
        reason: decision === "reject" ? reason : null,
      }),
    ),
  }));
  const moved = {
    type: "porting_order.status_changed",
    payload: { previous_status: "in_review", new_status: status },
  };
  return { events: [...updates, moved], exceptions, status };
}

/** An event has no reason where there is none. */
function withoutNull({ requirement, ...update }: ReturnType<typeof requirementUpdate>) {
  const { reason, ...rest } = requirement;
  return { ...update, requirement: reason === null ? rest : { ...rest, reason } };
}

/** The reasons for which this requirement may be rejected, the likeliest first. */
export function reasonsFor(
  reasons: readonly RejectionReason[],
  slug: string,
): readonly RejectionReason[] {
  return reasons
    .filter(({ slugs }) => slugs.includes(slug))
    .toSorted((one, other) => one.slugs.indexOf(slug) - other.slugs.indexOf(slug));
}
