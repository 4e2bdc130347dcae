import type { CarrierResult } from "../../../messages/generated/carrier-result.ts";
import type { CarrierUpdate } from "../../../messages/generated/carrier-update.ts";
import { extendedForm } from "../../../platform/calendar/instant-text.ts";
import { AppError } from "../../../platform/errors.ts";
import type { Effect } from "../../order/rules/effects.ts";
import { findExceptionCode, INFORMATION } from "../../order/rules/exception-catalogue.ts";
import { versionInForce } from "../../order/rules/order-changes.ts";
import type { Order } from "../../order/rules/order.ts";
import { isEnded } from "../../order/rules/status-facts.ts";
import {
  STATUS_UPDATE_KINDS,
  type StatusUpdate,
  type StatusUpdateKind,
} from "../../order/rules/status-update.ts";
import type { Providers } from "./provider.ts";

/** Who published the message, and what it is about. */
export interface ReceiptSubject {
  /** Empty where it could not be read. */
  readonly provider: string;
  readonly update_id?: string;
  readonly order_id?: string;
  readonly port_out_ref?: string;
  readonly call_id?: string;
}

export type ReceiptOutcome =
  | { readonly outcome: "applied" }
  | {
      /** Taken, but it moved nothing; or dead-lettered. */
      readonly outcome: "ignored" | "refused";
      readonly code: string;
      readonly detail: string;
    };

export const APPLIED: ReceiptOutcome = { outcome: "applied" };

export function ignored(code: string, detail: string): ReceiptOutcome {
  return { outcome: "ignored", code, detail };
}

export function refused(code: string, detail: string): ReceiptOutcome {
  return { outcome: "refused", code, detail };
}

/**
 * The update's own kind, or else the kind for its raw status in the provider's table; null for an unknown status. A rejection whose
 * code is but information is a comment.
 */
export function kindOf(
  providers: Providers,
  update: Pick<CarrierUpdate, "kind" | "provider" | "raw_status" | "rejection">,
): CarrierUpdate["kind"] {
  const kind = update.kind ?? kindOfStatus(providers, update.provider, update.raw_status);
  const isInformation = kind === "rejected" && reasonOf(providers, update).code === INFORMATION;
  return isInformation ? "comment" : kind;
}

function kindOfStatus(
  providers: Providers,
  provider: string,
  rawStatus: string,
): StatusUpdateKind | null {
  return providers.get(provider)?.statuses.get(rawStatus) ?? null;
}

/** Why a carrier rejects an order: the canonical code, and the carrier's own text if it sent one. */
interface CanonicalReason {
  readonly code: string | null;
  readonly text: string | null;
}

/**
 * The raw code if it is canonical, else its entry in the provider's table, by all of it (`7409/E27`) or by what is before the
 * slash; undefined for an unknown code.
 */
export function namedCode(
  providers: Providers,
  provider: string,
  rawCode: string,
): string | undefined {
  const isCanonical = findExceptionCode(rawCode).code === rawCode;
  if (isCanonical) return rawCode;
  const codes = providers.get(provider)?.codes;
  return codes?.get(rawCode) ?? codes?.get(rawCode.split("/")[0] ?? "");
}

/** The raw code if it is canonical, else its entry in the provider's table, else `other`. */
export function reasonOf(
  providers: Providers,
  { provider, rejection }: Pick<CarrierUpdate, "provider" | "rejection">,
): CanonicalReason {
  if (rejection === null) return { code: null, text: null };
  const { raw_code: rawCode, raw_text: rawText } = rejection;
  const named = namedCode(providers, provider, rawCode);
  const { code } = findExceptionCode(named ?? null);
  // Without a text, the unknown code itself is shown.
  return { code, text: rawText === "" && named === undefined ? rawCode : rawText };
}

/** The fields of a carrier result that a status update of an order fills. */
export type OrderResult = Pick<
  CarrierResult,
  | "provider"
  | "update_id"
  | "kind"
  | "raw_status"
  | "order_id"
  | "request_version"
  | "code"
  | "text"
  | "slug"
  | "foc_at"
  | "phone_numbers"
  | "comment"
  | "occurred_at"
>;

/** A port date that a carrier sent, in the form in which the platform stores and shows it. */
export function portDate(text: string | null): string | null {
  return text === null ? null : extendedForm(text);
}

/** The status update as order-lifecycle receives it: its kind and its reason by the provider's table. */
export function readUpdate(providers: Providers, update: CarrierUpdate): OrderResult {
  const { provider, update_id, raw_status, order_id, request_version } = update;
  const { foc_at, phone_numbers, comment, occurred_at } = update;
  const reason = reasonOf(providers, update);
  return {
    ...reason,
    slug: update.rejection?.slug ?? null,
    kind: kindOf(providers, update),
    ...{ provider, update_id, raw_status, order_id, request_version },
    foc_at: portDate(foc_at),
    ...{ phone_numbers, occurred_at },
    comment: reason.code === INFORMATION ? (comment ?? informationOf(reason)) : comment,
  };
}

/** What the customer reads of a delay: the carrier's words, else the catalogue's. */
function informationOf({ code, text }: CanonicalReason): string {
  const { title, detail } = findExceptionCode(code);
  return `${title}: ${text === null || text === "" ? detail : text}`;
}

const KINDS: ReadonlySet<string> = new Set(STATUS_UPDATE_KINDS);

function isStatusUpdateKind(kind: string): kind is StatusUpdateKind {
  return KINDS.has(kind);
}

/**
 * The status update that a carrier's result brings to its order.
 * @throws `rule_broken` for a kind that is not of an order
 */
export function statusUpdateOf(
  result: OrderResult,
  ids: { readonly comment: string; readonly reason: string },
): StatusUpdate {
  const { kind, raw_status, request_version, foc_at, phone_numbers, code, text, slug } = result;
  if (kind !== null && !isStatusUpdateKind(kind)) {
    throw new AppError(
      "rule_broken",
      `A carrier result of kind ${kind} does not apply to an order.`,
    );
  }
  return {
    ...{ kind, raw_status, foc_at, phone_numbers, code, text, slug },
    request_version: request_version ?? 0,
    occurred_at: new Date(result.occurred_at),
    comment: result.comment === null ? null : { id: ids.comment, body: result.comment },
    reason_comment_id: ids.reason,
  };
}

interface DecidedUpdate {
  readonly order: Order;
  readonly update: StatusUpdate;
  readonly effects: readonly Effect[];
}

/** Whether a status update moved the order; `order` is as it was before, `effects` are those of the decision. */
export function outcomeOf({ order, update, effects }: DecidedUpdate): ReceiptOutcome {
  if (update.kind === "comment") {
    return update.comment === null
      ? ignored("no_effect", "A comment without text has no effect.")
      : APPLIED;
  }
  const isIgnored = effects.some((one) => one.effect === "timeline" && one.kind === "ignored");
  if (isIgnored) return whyIgnored(order, update);
  if (update.kind !== null) return APPLIED;
  return ignored(
    "unknown_status",
    "The provider's file has no kind for this raw_status: it became provider_status and moved nothing.",
  );
}

function whyIgnored(order: Order, update: StatusUpdate): ReceiptOutcome {
  const { kind, request_version: version } = update;
  if (isEnded(order)) return ignored("order_closed", `The order was ${order.status} already.`);
  if (version < versionInForce(order)) {
    const detail = `It is about version ${version}, and the order was sent in version ${order.request_version}.`;
    return ignored("outdated_version", detail);
  }
  return ignored(
    "no_effect",
    numbersKnown(order, update) ?? `An order in ${order.status} is not moved by ${kind ?? "it"}.`,
  );
}

/** Says so where every number that an update names is active or has failed already; else null. */
function numbersKnown(
  { numbers }: Order,
  { kind, phone_numbers: named }: StatusUpdate,
): string | null {
  if (kind !== "number_active" && kind !== "number_failed") return null;
  const known = numbers.filter(({ phone_number }) => named?.includes(phone_number) ?? false);
  const isOne = known.length === 1;
  const subject = isOne ? "The number" : "The numbers that it names";
  const [first, ...others] = new Set(known.map(({ status }) => status));
  if (others.length > 0) return null;
  if (first === "active") return `${subject} ${isOne ? "is" : "are"} active already.`;
  return first === "failed" ? `${subject} ${isOne ? "has" : "have"} failed already.` : null;
}
