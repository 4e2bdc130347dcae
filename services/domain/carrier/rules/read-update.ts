import type { StatusUpdateKind } from "../../order/rules/status-update.ts";
import { findExceptionCode } from "../../order/rules/exception-catalogue.ts";
import type { CarrierUpdate } from "../../../messages/generated/carrier-update.ts";
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
