import type { StatusUpdateKind } from "../../order/rules/status-update.ts";
import { findExceptionCode } from "../../order/rules/exception-catalogue.ts";
import type { CarrierResult } from "../../../messages/generated/carrier-result.ts";
import type { CarrierUpdate } from "../../../messages/generated/carrier-update.ts";
import { extendedForm } from "../../../platform/calendar/instant-text.ts";
import type { Providers } from "./provider.ts";

/** The update's own kind, or else the kind for its raw status in the provider's table; null for an unknown status. */
export function kindOf(
  providers: Providers,
  { kind, provider, raw_status }: Pick<CarrierUpdate, "kind" | "provider" | "raw_status">,
): CarrierUpdate["kind"] {
  return kind ?? kindOfStatus(providers, provider, raw_status);
}

function kindOfStatus(
  providers: Providers,
  provider: string,
  rawStatus: string,
): StatusUpdateKind | null {
  return providers.get(provider)?.statuses.get(rawStatus) ?? null;
}

/** Why a carrier rejects an order: the canonical code, and the carrier's own text if it sent one. */
export interface CanonicalReason {
  readonly code: string | null;
  readonly text: string | null;
}

/** The raw code if it is canonical, else its entry in the provider's table; undefined for an unknown code. */
export function namedCode(
  providers: Providers,
  provider: string,
  rawCode: string,
): string | undefined {
  const isCanonical = findExceptionCode(rawCode).code === rawCode;
  return isCanonical ? rawCode : providers.get(provider)?.codes.get(rawCode);
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
  return {
    ...reasonOf(providers, update),
    kind: kindOf(providers, update),
    ...{ provider, update_id, raw_status, order_id, request_version },
    foc_at: portDate(foc_at),
    ...{ phone_numbers, comment, occurred_at },
  };
}
