import { writeAudit } from "../../domain/account/store/audit-log.ts";
import {
  isFinal,
  withVerdict,
  type RequirementVerdict,
  type ReviewDecision,
} from "../../domain/order/rules/decide-review.ts";
import { EXCEPTION_CATALOGUE } from "../../domain/order/rules/exception-catalogue.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { ORDER_KINDS } from "../../domain/requirement/rules/catalogue.ts";
import type { OrderRequirement } from "../../domain/requirement/rules/requirement.ts";
import {
  DOCUMENT_REASONS,
  type DocumentReason,
} from "../../domain/review/rules/document-reasons.ts";
import { withVerdicts, type ReviewCase } from "../../domain/review/rules/review-case.ts";
import { closeCase, recordVerdicts, storeDecision } from "../../domain/review/store/cases.ts";
import {
  outgoing,
  type MessageContext,
  type OutgoingMessage,
} from "../../messages/bus/outgoing.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError, type Fault } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import { byOperator } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { findRefusal, lockCase, type CaseRequest, type LockedCase } from "./claim-case.ts";
import { listScans, type StoredScan } from "./store.ts";

/** A reason with which the desk rejects a requirement (docs/contract/desk-api.md, GET /rejection_reasons). */
interface RejectionReason {
  readonly code: string;
  /** The requirements that may be rejected with it, most likely first. */
  readonly slugs: readonly string[];
  readonly title: string;
  /** A sentence for the customer, ready to be sent. */
  readonly text: string;
}

const FIELDS = ORDER_KINDS.flatMap(({ profile }) => profile);
const ALL_SLUGS = [...new Set(FIELDS.map(({ slug }) => slug))];
const DOCUMENTS = [
  ...new Set(FIELDS.filter(({ value }) => value.format === "document").map(({ slug }) => slug)),
];
/** Documents that show which numbers they are about. */
const WITH_NUMBERS = ["loa", "invoice", "csr", "allocation_certificate"];

/** What the desk finds wrong with a document itself. */
const DOCUMENT_FAULTS: Readonly<Record<DocumentReason, Omit<RejectionReason, "code">>> = {
  document_illegible: {
    slugs: DOCUMENTS,
    title: "Document not legible",
    text: "The document is not legible. Upload a sharp and complete copy of every page.",
  },
  document_wrong: {
    slugs: DOCUMENTS,
    title: "Wrong document",
    text: "This is not the document that was asked for. Upload the right one.",
  },
  document_incomplete: {
    slugs: DOCUMENTS,
    title: "Document incomplete",
    text: "Pages or details are missing from the document. Upload all of its pages.",
  },
  document_unsigned: {
    slugs: ["loa"],
    title: "Signature missing",
    text: "The document is not signed. Have the authorised person sign and date it.",
  },
  signer_mismatch: {
    slugs: ["loa"],
    title: "Signer differs",
    text: "The person who signed is not the order's authorised person. Have that person sign.",
  },
  numbers_missing: {
    slugs: WITH_NUMBERS,
    title: "Numbers missing",
    text: "The document does not list every number of the order. Upload one that lists them all.",
  },
  document_too_old: {
    slugs: DOCUMENTS,
    title: "Document too old",
    text: "The document is too old. Upload a newer one.",
  },
};

/** `other` fits every requirement; a code about the order as a whole fits none. */
const CANONICAL_REASONS: readonly RejectionReason[] = EXCEPTION_CATALOGUE.map(
  ({ code, slugs, title, detail }) => {
    if (code !== "other") return { code, slugs, title, text: detail };
    return { code, slugs: ALL_SLUGS, title, text: "This cannot be accepted as it is." };
  },
);

/** Every code with which the desk can reject: the canonical catalogue, and its own about documents. */
export const REJECTION_REASONS: readonly RejectionReason[] = [
  ...CANONICAL_REASONS,
  ...DOCUMENT_REASONS.map((code) => ({ code, ...DOCUMENT_FAULTS[code] })),
];

const BY_CODE: ReadonlyMap<string, RejectionReason> = new Map(
  REJECTION_REASONS.map((reason) => [reason.code, reason]),
);

function isRejectionCode(code: string): boolean {
  return BY_CODE.has(code);
}

/** Whether a requirement may be rejected with the code; an order keeps fields that its kind no longer asks for. */
export function concerns(code: string, slug: string): boolean {
  return code === "other" || (BY_CODE.get(code)?.slugs.includes(slug) ?? false);
}

/** The codes with which a requirement may be rejected. */
export function codesFor(slug: string): string[] {
  return REJECTION_REASONS.map(({ code }) => code).filter((code) => concerns(code, slug));
}

/** `attempt` is null unless the operator named one. */
export type DecisionRequest = Omit<ReviewDecision, "attempt"> & {
  readonly attempt: number | null;
};

/**
 * Records a decision in its case, with its audit row, and sends it to order-lifecycle, which applies it to the order,
 * all in one transaction.
 * @throws `not_found`, `already_decided`, `claimed`, `validation_failed`
 */
export async function recordDecision(
  { bus, scansDocuments }: Pick<DeskDeps, "bus" | "scansDocuments">,
  request: CaseRequest,
  decision: DecisionRequest,
): Promise<void> {
  const now = bus.clock.now();
  const made = { id: newId(now), request, decision, now };
  await inTransaction(request.db, async (tx) => {
    const locked = await lockCase(tx, request.params.order_id);
    const { one } = locked;
    const order = withVerdicts(locked.order, one);
    refuse(locked, order, { decision, operatorId: request.principal.operatorId, now });
    if (scansDocuments) refuseUnscanned(order, decision, await listScans(tx, order.id));
    await writeVerdicts(tx, one, made);
    await writeOutbox(tx, [decidedMessage(bus, one, made)]);
    await audit(tx, { order, one }, made);
  });
}

interface MadeDecision {
  /** Also the message-id, by which the decision takes effect once. */
  readonly id: string;
  readonly request: CaseRequest;
  readonly decision: DecisionRequest;
  readonly now: Date;
}

interface OfferedDecision extends Pick<MadeDecision, "decision" | "now"> {
  readonly operatorId: string;
}

/**
 * Faults of the request itself are reported before a refusal by the case, and that before faults with the order.
 * @throws `already_decided`, `claimed`, `validation_failed`
 */
export function refuse(
  locked: LockedCase,
  order: Order,
  { decision, operatorId, now }: OfferedDecision,
): void {
  const isOther = decision.attempt !== null && decision.attempt !== locked.one.attempt;
  const refusal = isOther
    ? new AppError("already_decided", `The open case is now that of attempt ${locked.one.attempt}.`)
    : findRefusal(locked, operatorId, now);
  const faults =
    refusal === null ? findDecisionFaults(order, decision) : findRequestFaults(decision);
  if (faults.length > 0) {
    throw new AppError("validation_failed", "The decision is not valid.", { faults });
  }
  if (refusal !== null) throw refusal;
}

function refuseUnscanned(
  order: Order,
  { decisions }: DecisionRequest,
  scans: readonly StoredScan[],
): void {
  const faults = findScanFaults(order, decisions, scans);
  if (faults.length === 0) return;
  throw new AppError("validation_failed", "A document cannot be approved.", { faults });
}

async function writeVerdicts(tx: Queryable, one: ReviewCase, made: MadeDecision): Promise<void> {
  const { request, decision, now: at } = made;
  const { operatorId } = request.principal;
  const key = { orderId: one.order_id, attempt: one.attempt };
  const given = { operator_id: operatorId, at: at.toISOString() };
  const verdicts = decision.decisions.map((verdict) => ({ ...verdict, ...given }));
  if (isFinal(decision)) await closeCase(tx, key, { verdicts, operatorId, at });
  else await recordVerdicts(tx, key, verdicts);
  await storeDecision(tx, {
    id: made.id,
    order_id: one.order_id,
    attempt: one.attempt,
    operator_id: operatorId,
    decisions: decision.decisions,
    confirm: decision.confirm,
    decided_at: at,
  });
}

function decidedMessage(
  context: MessageContext,
  one: ReviewCase,
  { id, request, decision }: MadeDecision,
): OutgoingMessage {
  const message = {
    decision_id: id,
    kind: "decided",
    order_id: one.order_id,
    attempt: one.attempt,
    decisions: decision.decisions.map((verdict) => ({ phone_number: null, ...verdict })),
    confirm: decision.confirm,
    operator_id: request.principal.operatorId,
  } as const;
  const address = { key: one.order_id, messageId: id };
  return outgoing(context, "porting.review-results", { ...address, message });
}

function audit(tx: Queryable, { order, one }: LockedCase, made: MadeDecision): Promise<void> {
  const { request, decision, now } = made;
  const { decisions, confirm } = decision;
  const named = new Set(decisions.map(({ slug }) => slug));
  const requirements = order.requirements
    .filter(({ slug }) => named.has(slug))
    .map(({ slug, status }) => ({ slug, status }));
  return writeAudit(tx, {
    ...byOperator(request, now),
    action: "review.decided",
    accountId: one.account_id,
    portingOrderId: one.order_id,
    before: { attempt: one.attempt, state: one.state, requirements },
    after: { state: isFinal(decision) ? "decided" : "open", confirm, decisions },
  });
}

/** Approvals of documents that the virus scanner has not found clean: one that was not scanned may be anything. */
function findScanFaults(
  order: Pick<Order, "requirements">,
  decisions: readonly RequirementVerdict[],
  scans: readonly StoredScan[],
): Fault[] {
  return decisions.flatMap(({ slug, decision }, n): Fault[] => {
    const documentId = order.requirements.find((one) => one.slug === slug)?.document_id ?? null;
    if (decision !== "approve" || documentId === null) return [];
    const state = scans.find((one) => one.document_id === documentId)?.state ?? "waiting";
    const pointer = `#/decisions/${n}/decision`;
    switch (state) {
      case "clean":
        return [];
      case "infected":
        return [
          {
            pointer,
            code: "document_infected",
            detail: `${slug}: it is infected. Reject the field.`,
          },
        ];
      case "waiting":
        return [
          {
            pointer,
            code: "document_not_scanned",
            detail: `${slug}: the virus scanner has not answered yet. Try again later.`,
          },
        ];
    }
  });
}

type Decided = Omit<ReviewDecision, "attempt">;

const DETAILS = {
  repeated: "The requirement, or the number's value of it, is named more than once.",
  unknown_number: "The order has no such number, or one value for all of its numbers.",
  unknown_slug: "The order has no such requirement.",
  not_under_review:
    "The requirement, or the number's value of it, is not under review; only an approved one can be rejected all the same.",
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

/** A verdict on all values of a requirement is on each of them. */
function isOnSame(
  { slug, phone_number: number = null }: RequirementVerdict,
  { slug: otherSlug, phone_number: other = null }: RequirementVerdict,
): boolean {
  return slug === otherSlug && (number === null || other === null || number === other);
}

/** The faults of a decision that do not depend on the order (docs/contract/desk-api.md, A decision). */
function findRequestFaults({ decisions, confirm }: Decided): Fault[] {
  const faults = decisions.flatMap((verdict, n): Fault[] => {
    const at = `#/decisions/${n}`;
    const isRepeated = decisions.slice(0, n).some((earlier) => isOnSame(earlier, verdict));
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
    const status = statusNamed(requirement, verdict);
    if (status === null) return [fault(`#/decisions/${n}/phone_number`, "unknown_number")];
    if (status === "requirement-info-under-review") return [];
    // The desk may find later that a letter has to be signed again.
    if (status === "approved" && rejects(verdict)) return [];
    return [fault(`#/decisions/${n}/slug`, "not_under_review")];
  });
  const isConfirmed = decided.confirm && !decided.decisions.some(rejects);
  const left = isConfirmed ? findConfirmFaults(order, decided.decisions) : [];
  return [...findRequestFaults(decided), ...named, ...left];
}

/** The status of what a verdict names; null for a number whose value is not asked for. */
function statusNamed(
  { status, values }: OrderRequirement,
  { phone_number: number = null }: RequirementVerdict,
): OrderRequirement["status"] | null {
  if (number === null) return status;
  return values.find((value) => value.phone_number === number)?.status ?? null;
}

/** What would not be decided by these verdicts. */
function findConfirmFaults(order: Order, decisions: readonly RequirementVerdict[]): Fault[] {
  return order.requirements
    .map((one) => decisions.filter(({ slug }) => slug === one.slug).reduce(withVerdict, one))
    .filter(isUndecided)
    .map(({ slug }) => {
      return { pointer: "#/confirm", code: "undecided", detail: `${slug} is not decided yet.` };
    });
}

function isUndecided({ status, mandatory, has_value: hasValue }: OrderRequirement): boolean {
  return status !== "approved" && (mandatory || hasValue);
}
